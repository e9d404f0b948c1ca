jobmeter run -q -o x.jm -- true
jobmeter run -q --overwrite -o x.jm -- sh -c 'exit 3'
jobmeter report x.jm --get exit.status
stat -c %a x.jm
