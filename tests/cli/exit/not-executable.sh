echo text >file; jobmeter run --no-record -- ./file
