jobmeter run --no-record -q --fail-if 'cpu.total_ns > 1h' -- true
