jobmeter report --help
