jobmeter run --no-record -- ./
