jobmeter doctor here
