jobmeter run -o missing/x.jm -- touch ran
status=$?
test ! -e ran && exit $status
