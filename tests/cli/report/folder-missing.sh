jobmeter run -q -- true; jobmeter report -o missing/x.json
