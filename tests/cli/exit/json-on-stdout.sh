jobmeter run --no-record -q --json - -- echo job | head -c 40 >out
sed -n 1p out
grep -c jobmeter.summary out
