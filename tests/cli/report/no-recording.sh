echo text >x.jm; jobmeter report x.jm
