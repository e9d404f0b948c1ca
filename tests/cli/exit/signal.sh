# bash
# jobmeter dies of the same signal, so that the shell sees the truth; what that shell says of it is its own
exec 2>/dev/null
for s in TERM KILL SEGV; do
	bash -c "jobmeter run --no-record -q -- sh -c 'kill -$s \$\$'"
	echo $?
done
