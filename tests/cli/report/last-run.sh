# without a file: the last run that was kept
jobmeter run -q -- true
jobmeter run -q -- sh -c 'exit 5'
jobmeter run -q --no-record -- sh -c 'exit 6'
JOBMETER_RECORD=0 jobmeter run -q -- sh -c 'exit 6'
jobmeter report --get exit.status
