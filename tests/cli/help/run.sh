jobmeter run --help
