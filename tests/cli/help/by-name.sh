# help COMMAND and COMMAND -h are the same page
jobmeter help run >a
jobmeter run -h >b
cmp a b
