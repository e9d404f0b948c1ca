jobmeter run --no-record -- true 2>/dev/full
