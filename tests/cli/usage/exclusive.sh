jobmeter run --append --overwrite true
