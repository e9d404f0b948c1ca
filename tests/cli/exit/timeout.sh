jobmeter run --no-record -q --timeout 100ms -- sleep 60
