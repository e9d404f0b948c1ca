mkdir -p .config/jobmeter
printf '# remarks and empty lines are fine\n\nintervall = 1s\n' >.config/jobmeter/config
jobmeter run true 2>&1 | sed "s|$HOME|HOME|"
jobmeter run true 2>/dev/null
