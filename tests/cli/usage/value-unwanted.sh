jobmeter run --append=yes true
