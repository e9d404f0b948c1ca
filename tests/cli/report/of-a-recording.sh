jobmeter run -q -o run.jm -- sh -c 'exit 7'
jobmeter report run.jm --get exit.status --get processes.started
jobmeter report run.jm | head -n 1 | tr -s ' '
jobmeter report run.jm -o run.json && python3 -c 'import json; print(json.load(open("run.json"))["schema"])'
jobmeter report run.jm -o - --format line | wc -l
