jobmeter run -q -- true; jobmeter report -o x.doc
