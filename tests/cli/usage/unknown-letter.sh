jobmeter run -x true
