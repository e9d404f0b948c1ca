jobmeter report 2>&1 | sed "s|$HOME|HOME|"; jobmeter report 2>/dev/null
