# started without standard error, our files must not become it
jobmeter run --no-record --json j.json -- sh -c 'echo $((40 + 2))nd >&2' 2>&-
head -c 1 j.json
grep -c 42nd j.json
true
