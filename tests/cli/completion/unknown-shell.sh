jobmeter completion tcsh
