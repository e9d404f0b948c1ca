jobmeter run --output= true
