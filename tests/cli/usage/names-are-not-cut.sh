jobmeter run --inter 1s true
