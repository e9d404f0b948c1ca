jobmeter --help
