jobmeter mark --help
