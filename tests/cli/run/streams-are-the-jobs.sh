echo in | jobmeter run --no-record -q -- sh -c 'cat; echo out; echo err >&2'
