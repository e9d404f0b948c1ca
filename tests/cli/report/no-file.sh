jobmeter report x.jm
