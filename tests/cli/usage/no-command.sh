jobmeter run
