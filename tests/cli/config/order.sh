# command line, environment, file: what a weaker place says wrongly is still told
mkdir -p .config/jobmeter
printf 'summary = none\nrecord = no\n' >.config/jobmeter/config
jobmeter run true
JOBMETER_SUMMARY=line jobmeter run true 2>&1 | grep -c .
JOBMETER_SUMMARY=line jobmeter run --summary none true
JOBMETER_SUMMARY='' jobmeter run true
