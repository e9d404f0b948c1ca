jobmeter run -q -o run.jm -- true
jobmeter export run.jm -o run.csv && head -n 1 run.csv | cut -d , -f 1-4
jobmeter export run.jm -o - --format jsonl | python3 -c 'import json, sys; print(all(json.loads(l) is not None for l in sys.stdin))'
jobmeter export run.jm -o run.xyz
echo $?
jobmeter export run.jm -o missing/run.csv
echo $?
