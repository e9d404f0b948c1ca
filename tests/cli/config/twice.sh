mkdir -p .config/jobmeter
printf 'interval = 1s\ninterval = 2s\n' >.config/jobmeter/config
jobmeter run true 2>&1 | sed "s|$HOME|HOME|"
jobmeter run true 2>/dev/null
