jobmeter run --no-record --json missing/x.json -- touch ran
status=$?
test ! -e ran && exit $status
