for i in 0 -1 1us 2h 1e3 999999999999999999999999 1x '' ' 1s' 1..5 .; do
	jobmeter run --interval="$i" true
	echo "$?"
done 2>&1 | grep -v '^Try'
