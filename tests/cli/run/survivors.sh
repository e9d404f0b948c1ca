# the end is the end of COMMAND, who lives on is named; unless all are waited for
jobmeter run --no-record -- sh -c 'sleep 30 >/dev/null 2>&1 & echo $! >pid' 2>err
grep -c 'still running' err
kill "$(cat pid)"
jobmeter run --no-record -q --wait all --json j -- sh -c 'sleep 0.3 & exit 4'
echo $?
python3 -c 'import json; r = json.load(open("j"))["run"]; print(r["survivors"], r["wall_ns"] > 250e6)'
