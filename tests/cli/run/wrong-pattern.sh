jobmeter run --group 'x=(' -- touch ran
