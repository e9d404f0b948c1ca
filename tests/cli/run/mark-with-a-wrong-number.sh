jobmeter run -q --no-record -- jobmeter mark here rows=many
