echo mine >x.jm
jobmeter run -o x.jm -- touch ran
status=$?
cat x.jm
test ! -e ran && exit $status
