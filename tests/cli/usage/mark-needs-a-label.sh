jobmeter mark --begin
