jobmeter run --summary=fulll true 2>&1
jobmeter run --color=sometimes true 2>&1
jobmeter run --overhead=101 true 2>&1
jobmeter run --overhead=x true 2>&1
true
