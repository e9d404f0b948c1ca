jobmeter report --formta text
