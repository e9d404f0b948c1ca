# the number changes, the form does not
jobmeter --version | sed 's/ [0-9][0-9.]*$/ N/'
