jobmeter doctor --help
