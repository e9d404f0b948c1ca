jobmeter run --no-record -- true 2>&-
