jobmeter run -q -o a.jm -- true
jobmeter run -q -o b.jm -- true
jobmeter report a.jm b.jm | grep '==>'
jobmeter report a.jm b.jm --get exit.status
