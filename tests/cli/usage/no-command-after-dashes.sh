jobmeter run --
