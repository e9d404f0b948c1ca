jobmeter run --interval
