jobmeter run --no-record -q --fail-if 'cpu.total_ns >= 0' -- true
