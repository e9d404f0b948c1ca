jobmeter run --no-record -q --fail-if 'cpu.totl_ns > 1h' -- touch ran
