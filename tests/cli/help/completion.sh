jobmeter completion --help
