jobmeter export x.jm
