"""Tier B: what taskstats tells of processes that nobody waits for, on jobs of known cost; and how a loss is told."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pytest

NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
CHILDREN = 10
MODES = {'waited': 1, 'sigchld-ignored': 1, 'nocldwait': 1, 'daemon': 2, 'thread': 1, 'exec': 1, 'chain': 1,
         'chain-orphan': 1, 'root-exits-first': 1}
# a parent whose children the kernel reaps by itself: COUNT PROGRAM [ARG...]
UNWAITED = '''
import os, signal, sys
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(int(sys.argv[1])):
    if os.fork() == 0:
        os.execv(sys.argv[2], sys.argv[2:])
try:
    os.wait()
except ChildProcessError:
    pass
'''


@pytest.fixture
def probe(build_dir):
    def run(command, prefix=(), **environment):
        done = subprocess.run([*prefix, build_dir / 'tests/lifecycle/probe', 'taskstats', *command], text=True, timeout=100,
                              capture_output=True, env={**os.environ, **environment})
        if done.returncode == 126:
            pytest.skip('the build cannot be reached without rights')
        seen = json.loads(done.stdout.splitlines()[-1])
        seen['refused'] = done.returncode == 77
        return seen
    return run


@pytest.fixture
def probed(probe):
    def run(*args, **kwargs):
        seen = probe(*args, **kwargs)
        if seen['refused']:
            pytest.skip(seen['error'])
        return seen
    return run


@pytest.fixture
def measure(jobmeter):
    """A job at tier B: the summary, and the truths that it told."""
    def run(command, *options):
        with tempfile.TemporaryDirectory(prefix='jobmeter-test-') as folder:
            summary = pathlib.Path(folder) / 'summary.json'
            truth = pathlib.Path(folder) / 'truth'
            with truth.open('a') as file:  # the workloads tell it by descriptor 3
                done = subprocess.run([jobmeter, 'run', '--tier', 'B', '--no-record', '-q', '--wait', 'all', '--json', summary,
                                       *options, '--', *command], capture_output=True, text=True, timeout=100,
                                      pass_fds=(3,), preexec_fn=lambda: os.dup2(file.fileno(), 3))
            assert done.returncode == 0, done.stderr
            seen = json.loads(summary.read_text())
            seen['truth'] = [json.loads(line) for line in truth.read_text().splitlines()]
        why = [m['reason'] for m in seen['quality']['missing'] if m['metric'] == 'taskstats']
        if why:
            pytest.skip(why[0])
        assert seen['run']['tier'] == 'B'
        return seen
    return run


def unwaited(count, program, *args):
    return [os.path.realpath(sys.executable), '-c', UNWAITED, str(count), program, *args]


def group(seen, name):
    return next(g for g in seen['groups'] if g['name'] == name)


@pytest.mark.root
@pytest.mark.parametrize('mode', MODES)
def test_every_end_is_told(probed, workloads, mode):
    seen = probed([workloads / 'forks', mode, '--n', str(CHILDREN), '--ms', '3'])
    processes = 1 + CHILDREN * MODES[mode]
    assert seen['tier'] == 'B'
    assert (seen['starts'], seen['ends']) == (processes, processes)
    assert seen['told'] == processes
    assert seen['statuses'] == processes  # also of those that nobody has waited for


@pytest.mark.root
def test_lost_records_are_said(probed, workloads):
    seen = probed([workloads / 'forks', 'sigchld-ignored', '--n', '300', '--ms', '0'], PROBE_SMALL_BUFFER='1')
    assert seen['lost_events'] > 0
    assert (seen['starts'], seen['ends']) == (301, 301)  # births and ends are told by somebody else
    assert seen['told'] < 301  # on a busy machine not one: the ends of others take the room


@pytest.mark.root
def test_it_is_refused_without_rights(probe, workloads):
    seen = probe([workloads / 'forks', 'waited', '--n', '1', '--ms', '1'], prefix=NOBODY)
    assert seen['refused']
    assert 'CAP_NET_ADMIN' in seen['error'] or 'CONFIG_TASKSTATS' in seen['error']


@pytest.mark.root
@pytest.mark.parametrize('namespace', ['--pid', '--net', '--user'])
def test_other_namespaces_are_refused(probe, workloads, namespace):
    prefix = ['unshare', namespace, '--fork', *(['--map-root-user'] if namespace == '--user' else [])]
    if subprocess.run([*prefix, 'true'], capture_output=True).returncode != 0:
        pytest.skip('no such namespace here')
    seen = probe([workloads / 'forks', 'waited', '--n', '1', '--ms', '1'], prefix=prefix)
    assert seen['refused']
    assert 'first' in seen['error'] or 'CONFIG_TASKSTATS' in seen['error']


@pytest.mark.root
def test_it_is_what_root_has_without_bpf(jobmeter):
    done = subprocess.run([jobmeter, 'run', '--no-bpf', '--no-record', '-q', '--json', '-', '--', 'true'],
                          capture_output=True, text=True, timeout=60)
    seen = json.loads(done.stdout)
    why = [m['reason'] for m in seen['quality']['missing'] if m['metric'] == 'taskstats']
    assert seen['run']['tier'] == 'B' or why


@pytest.mark.root
def test_input_and_output_of_children_that_nobody_waits_for(measure, workloads):
    count = 3
    seen = measure(unwaited(count, workloads / 'io'), '--group', 'io=workloads/io')
    truth = seen['truth']
    assert len(truth) == count
    written, read = (sum(t[key] for t in truth) for key in ('write_chars', 'read_chars'))
    # each thread tells whole KiB; what is more is of the shell that starts it, of Python and of the truth that is printed
    assert written - 1024 * count <= seen['io']['write_chars'] <= written + 65536
    assert read - 1024 * count <= seen['io']['read_chars']
    assert seen['io']['write_bytes'] >= sum(t['page_write_bytes'] for t in truth)


@pytest.mark.root
def test_marks_of_children_that_nobody_waits_for(measure, workloads):
    seen = measure(unwaited(3, workloads / 'peak'), '--group', 'peak=workloads/peak')
    truth = [t['vm_hwm_bytes'] for t in seen['truth']]
    high = group(seen, 'peak')['peak_rss_bytes']['high']
    # the sum of those that overlapped, by chance one to three; each within 256 KiB of what it saw itself
    assert max(truth) - 262144 <= high <= sum(truth) + 3 * 262144 + (64 << 20)
    assert seen['memory']['largest_process_rss_bytes'] >= max(truth) - 262144


@pytest.mark.root
def test_names_of_programs_that_end_at_once(measure):
    program = shutil.which('true') or 'true'
    seen = measure(unwaited(50, os.path.realpath(program)))
    assert group(seen, 'true')['instances'] == 50
    assert seen['processes']['started'] == 51


@pytest.fixture
def delays():
    """Delay accounting, for as long as a test needs it: jobmeter never switches it on."""
    switch = pathlib.Path('/proc/sys/kernel/task_delayacct')
    try:
        before = switch.read_text()
        switch.write_text('1')
    except OSError as error:
        pytest.skip(str(error))
    yield
    switch.write_text(before)


DISK_WRITER = '''
import os, sys, time
file = os.open(sys.argv[1] + '/direct', os.O_WRONLY | os.O_CREAT | os.O_DSYNC)
end = time.monotonic() + float(sys.argv[2])
while time.monotonic() < end:
    os.pwrite(file, bytes(65536), 0)
'''


@pytest.mark.root
@pytest.mark.parametrize('seconds, unwaited_for', [(0.2, True), (2.5, False)])
def test_waiting_for_disks_is_told(measure, delays, tmp_path, seconds, unwaited_for):
    writer = [os.path.realpath(sys.executable), '-c', DISK_WRITER, str(tmp_path), str(seconds)]
    seen = measure(unwaited(1, *writer) if unwaited_for else writer)
    time = seen['time']
    if not time['disk_ns']:
        pytest.skip('this file system waits for no disk')
    assert None not in (time['reclaim_ns'], time['asleep_ns'])
    parts = time['disk_ns'] + time['reclaim_ns'] + time['asleep_ns']
    assert parts == time['waiting_ns'] or time['asleep_ns'] == 0  # reclaim contains CPU time, which is no waiting
    assert 0 < time['disk_ns'] <= time['waiting_ns']  # never more, though the kernel counts more on a busy machine


@pytest.mark.root
def test_threads_are_summed(measure):
    script = '''
import threading
def write():
    with open('/dev/null', 'wb', buffering=0) as f:
        for _ in range(100):
            f.write(bytes(10240))
threads = [threading.Thread(target=write) for _ in range(8)]
[t.start() for t in threads]
[t.join() for t in threads]
'''
    seen = measure(unwaited(2, os.path.realpath(sys.executable), '-c', script))
    wanted = 2 * 8 * 100 * 10240
    assert wanted <= seen['io']['write_chars'] <= wanted + 65536
