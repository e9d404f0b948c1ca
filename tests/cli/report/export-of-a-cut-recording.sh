# what there is is written, and what is not there is told
cp "$TOP/tests/recordings/1.0-cut.jm" run.jm
jobmeter export run.jm -o run.jsonl
echo $?
cmp run.jsonl "$TOP/tests/recordings/1.0-cut.jsonl" && echo all of it
