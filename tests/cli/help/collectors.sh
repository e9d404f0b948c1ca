jobmeter collectors --help
