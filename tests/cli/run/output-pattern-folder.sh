# the folder that is looked for is the one that the pattern stands for
mkdir -p logs/77
SLURM_JOB_ID=77 jobmeter run -q -o logs/%j/%t.jm -- true
ls logs/77
SLURM_JOB_ID=78 jobmeter run -q -o logs/%j/x.jm -- touch ran
status=$?
test ! -e ran && exit $status
