jobmeter run --no-record -- no-such-program-anywhere
