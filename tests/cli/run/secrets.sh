jobmeter run -q -o x.jm --tag db_password=tagged1 -- sh -c 'true' --password hunter2 API_TOKEN=hunter3
grep -c -a -e hunter -e tagged1 x.jm
jobmeter report x.jm --format json | grep -o -e '"--password","[^"]*"' -e '"db_password":"[^"]*"'
jobmeter run -q -o y.jm --no-redact -- sh -c 'true' --password hunter2
grep -q -a hunter2 y.jm && echo kept
