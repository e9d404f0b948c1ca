# a pipe whose reader goes away would keep jobmeter from telling how the job ended: said before the job starts
mkfifo f.csv
timeout 20 jobmeter run -o f.csv -- touch started && echo "no status" || echo "status $?"
ls
