# the job is started without them too
sh -c 'ls /proc/$$/fd >bare' <&- >&- 2>&-
jobmeter run --no-record -q -- sh -c 'ls /proc/$$/fd >fds' <&- >&- 2>&-
cmp bare fds
