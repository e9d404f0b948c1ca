JOBMETER_INTERVAL=often jobmeter run true
