jobmeter rnu true
