jobmeter export --help
