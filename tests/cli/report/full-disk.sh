jobmeter run -q -- true; jobmeter report >/dev/full
