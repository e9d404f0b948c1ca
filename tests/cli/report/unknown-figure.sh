jobmeter run -q -- true; jobmeter report --get cpu.totl_ns
