"""After a run there is nothing of jobmeter but what was asked for: no folder of a socket, no control group, no zombie; and who lives
on is named and left alone."""
from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import time

import pytest
from manners import Desk, own_cgroups
from test_signals import children, state, until

LONG = 'sleep 30 </dev/null >/dev/null 2>&1 & echo $!; until grep -q sleep /proc/$!/comm; do :; done'


def test_survivors_are_named_and_left_alone(desk: Desk) -> None:
    ran = desk.sh(LONG + '; exit 4')
    pid = int(ran.out)
    try:
        assert ran.status == 4 and ran.json
        assert [(s['pid'], s['name']) if isinstance(s, dict) else s for s in ran.json['run']['survivors']]
        assert str(pid) in str(ran.json['run']['survivors'])
        assert f'1 still running: sleep 30 (pid {pid})' in ran.err
        assert state(pid) == 'S'
        with open(f'/proc/{pid}/cgroup') as f:
            assert 'jobmeter-' not in f.read()
    finally:
        os.kill(pid, signal.SIGKILL)
    assert desk.left_behind() == []


def test_waiting_for_a_time(desk: Desk) -> None:
    begun = time.monotonic()
    ran = desk.sh(LONG + '; exit 4', ['--wait', '100ms'])
    pid = int(ran.out)
    try:
        assert ran.status == 4 and ran.json and 'still running' in ran.err
        assert 0.1 <= time.monotonic() - begun < 20
        assert state(pid) == 'S'
    finally:
        os.kill(pid, signal.SIGKILL)
    # nobody to wait for: no time is spent
    ran = desk.sh('exit 4', ['--wait', '1h'])
    assert ran.status == 4 and ran.json and ran.json['run']['survivors'] == []
    for wait in ('some', '-1s', '', '1x'):
        assert desk.sh('touch ran', ['--wait', wait]).status == 125
    assert not (desk.work / 'ran').exists()


def test_waiting_for_all_measures_all(desk: Desk) -> None:
    peak = desk.workload('peak')
    ran = desk.sh(f'{peak} --mib 60 --hold 300 3>/dev/null & exit 4', ['--wait', 'all', '-i', '20ms'])
    assert ran.status == 4 and ran.json
    assert ran.json['run']['survivors'] == [] and ran.json['run']['wall_ns'] > 0.3e9
    assert [g['samples'] for g in ran.json['groups'] if g['name'] == 'peak'][0] > 3
    assert ran.json['memory']['peak_rss_bytes']['low'] > 60 << 20


@pytest.mark.parametrize('end', ['exit 0', 'exit 1', 'kill -KILL $$', 'kill -SEGV $$', 'kill -TERM -$$', '(sleep 0.05; kill -KILL $PPID) & sleep 60'])
def test_nothing_is_left(desk: Desk, end: str) -> None:
    before = own_cgroups()
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '-i', '20ms', '--timeout', '1s', '--', 'sh', '-c', f'true & {end}'],
                     start_new_session=True, stderr=subprocess.DEVNULL)
    job.wait(20)
    assert desk.left_behind() == [] or 'PPID' in end
    left = {g for g in own_cgroups() - before if g.name == f'jobmeter-{job.pid}'}
    if 'PPID' in end:  # kill -9 of jobmeter itself: what stays is empty, and the job is not kept from going on
        assert job.returncode == -signal.SIGKILL
        os.killpg(job.pid, signal.SIGKILL)
        for group in left:
            until(lambda group=group: not (group / 'cgroup.procs').read_text())
            group.rmdir()
    else:
        assert left == set()


def test_no_zombie_while_the_job_runs(desk: Desk) -> None:
    script = 'i=0; while [ $i -lt 50 ]; do (true &) ; i=$((i+1)); done; echo ready; read line'
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--', 'sh', '-c', script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert job.stdout and job.stdout.readline() == b'ready\n'
    until(lambda: [state(c) for c in children(job.pid)] == ['S'])
    job.communicate(timeout=20)
    assert job.returncode == 1  # read at the end of file


def test_only_its_own_run_is_kept(desk: Desk) -> None:
    assert desk.call(['run', '-q', '--', 'true']).status == 0
    kept = [p for p in (desk.work / '.local').rglob('*') if p.is_file()]
    assert len(kept) == 1 and kept[0].suffix == '.jm' and kept[0].stat().st_mode & 0o777 == 0o600
    assert pathlib.Path(kept[0]).parent.stat().st_mode & 0o777 == 0o700
    # no home is no failure
    for environment in ({'HOME': 'relative'}, {'HOME': '/dev/null/home'}, {'XDG_STATE_HOME': '/dev/null'}):
        ran = desk.call(['run', '--', 'sh', '-c', 'exit 3'], env=environment)
        assert ran.status == 3 and 'exit 3' in ran.err, ran
