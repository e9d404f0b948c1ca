jobmeter mark here
