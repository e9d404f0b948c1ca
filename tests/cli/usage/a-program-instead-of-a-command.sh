jobmeter make
