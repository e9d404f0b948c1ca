jobmeter metrics --help
