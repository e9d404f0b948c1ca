jobmeter run -q -o x.jm -- sh -c '
	jobmeter mark --begin load && true && jobmeter mark --end load rows=1000 && jobmeter mark done'
jobmeter report x.jm --format json | python3 -c '
import json, sys
r = json.load(sys.stdin)
print([(p["name"], p["values"]) for p in r["phases"]], [m["name"] for m in r["marks"]])'
