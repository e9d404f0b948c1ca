# an output said in the environment is the outermost run's; the run inside it neither fails nor writes there
export JOBMETER_OUTPUT=out.jm JOBMETER_JSON=out.json JOBMETER_FAIL_IF='cpu.total_ns > 1h' JOBMETER_RECORD=no
jobmeter run -q -- jobmeter run -q -- sh -c 'exit 5' && echo "no status" || echo "status $?"
jobmeter report out.jm >report.txt && echo whole
ls
