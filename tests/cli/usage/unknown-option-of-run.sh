jobmeter run --intervall=1s true
