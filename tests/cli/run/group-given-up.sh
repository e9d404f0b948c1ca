# a pattern that takes for ever costs no run its end; the report says whom it may be missing
jobmeter run -q -o run.jm --group 'slow=^([a-z /]+)+$' -- true aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.
jobmeter report run.jm -o report.md
grep 'given up' report.md | sed 's,[0-9]* times*,so often,'
