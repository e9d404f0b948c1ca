jobmeter --help >/dev/full
