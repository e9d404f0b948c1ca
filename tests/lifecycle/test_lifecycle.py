"""Each source of starts and ends, alone, on jobs of known shape: what it must see, and how it says what it cannot."""
import json
import os
import shutil
import subprocess
import tempfile

import pytest
import stolen

NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
CHILDREN = 10
# mode: processes besides the root for each child that was asked for
MODES = {'waited': 1, 'sigchld-ignored': 1, 'nocldwait': 1, 'daemon': 2, 'thread': 1, 'exec': 1, 'chain': 1,
         'chain-orphan': 1, 'root-exits-first': 1}


@pytest.fixture(params=['user', 'nobody'])
def rights(request):
    """Command that a test runs under: as we are, and without any rights when we have some to give up."""
    if request.param == 'user':
        return []
    if os.geteuid() != 0:
        pytest.skip('needs root to become nobody')
    return NOBODY


@pytest.fixture
def probe(build_dir):
    def run(rights, source, command, name='', truth=None, **environment):
        def to_3():
            os.dup2(truth.fileno(), 3)
        done = subprocess.run([*rights, build_dir / 'tests/lifecycle/probe', source, *command], text=True, timeout=100,
                              capture_output=True, env={**os.environ, 'PROBE_NAME': name, **environment},
                              pass_fds=(3,) if truth else (), preexec_fn=to_3 if truth else None)
        lines = done.stdout.splitlines()
        if done.returncode == 126:
            pytest.skip('the build cannot be reached without rights')
        assert lines, done.stderr
        seen = json.loads(lines[-1])
        if done.returncode == 77:
            pytest.skip(seen['error'])
        assert done.returncode == 0, done.stderr
        seen['stderr'] = done.stderr
        return seen
    return run


@pytest.mark.parametrize('mode', MODES)
@pytest.mark.parametrize('source', ['bpf', 'perf', 'connector'])
def test_event_sources_see_every_fork(probe, workloads, rights, source, mode):
    before = stolen.ticks()
    with tempfile.TemporaryFile('w+') as truth:
        seen = probe(rights, source, [workloads / 'forks', mode, '--n', str(CHILDREN), '--ms', '3'], truth=truth)
        truth.seek(0)
        told = json.loads(truth.read())
    if source == 'perf' and seen['lifecycle'] != 'perf rings':
        pytest.skip('no perf rings on this machine')
    processes = 1 + CHILDREN * MODES[mode]
    assert seen['starts'] == processes
    assert seen['ends'] == processes
    assert seen['execs'] == 1 + (CHILDREN if mode == 'exec' else 0)
    assert seen['lost'] == 0
    assert seen['notes'] == 0
    if source == 'perf':
        # the counter lacks the tail of each exit (40 to 60 us); the truth is told before it, and after the exec
        slack = told['total_ns'] / 100 + processes * 100_000
        assert -slack < seen['counter_ns'] - told['total_ns'] < slack + stolen.at_most_ns(before)


@pytest.mark.parametrize('mode', ['waited', 'sigchld-ignored', 'thread', 'exec', 'chain', 'chain-orphan', 'daemon'])
def test_children_files_show_who_lives_long_enough(probe, workloads, rights, mode):
    # they are read ten times a second: 300 ms of CPU are seen
    seen = probe(rights, 'children', [workloads / 'forks', mode, '--n', '2', '--ms', '300'])
    assert seen['tier'] == 'D'
    assert seen['ends'] == seen['starts']
    # a daemon's parent comes and goes; it may be seen
    assert seen['starts'] >= 3 if mode == 'daemon' else seen['starts'] == 3


@pytest.mark.parametrize('source', ['bpf', 'perf', 'connector', 'children'])
def test_zombies_end_once(probe, workloads, rights, source):
    seen = probe(rights, source, [workloads / 'zombie', '--n', '3', '--ms', '200', '--hold', '1500'])
    assert (seen['starts'], seen['ends']) == (4, 4)


@pytest.mark.parametrize('source', ['bpf', 'perf', 'connector', 'children'])
def test_threads_are_no_processes(probe, workloads, rights, source):
    seen = probe(rights, source, [workloads / 'threads', '--n', '10', '--procs', '2', '--seconds', '1'])
    assert (seen['starts'], seen['ends']) == (2, 2)


@pytest.mark.root
def test_a_process_that_perf_loses_sight_of_is_followed_by_asking(probe, build_dir):
    folder = tempfile.mkdtemp(prefix='jobmeter-test-')
    try:
        os.chmod(folder, 0o755)
        shell = shutil.copy('/bin/sh', folder + '/unreadable-shell')
        os.chmod(shell, 0o711)  # the kernel takes its perf events away from who executes what it may not read
        seen = probe(NOBODY, 'perf', ['sh', '-c', f'{shell} -c "sleep 1.6; true"; true'], name='sleep')
    finally:
        shutil.rmtree(folder)
    if seen['lifecycle'] != 'perf rings':
        pytest.skip('no perf rings on this machine')
    assert seen['notes'] == 1
    assert 'rights' in seen['stderr']
    assert (seen['starts'], seen['ends'], seen['named']) == (3, 3, 1)


@pytest.mark.parametrize('source', ['bpf', 'perf', 'connector'])
def test_after_a_loss_it_is_said_and_everybody_is_looked_for(probe, workloads, rights, source):
    # While the reader is stopped more happens than its buffer holds: two rings of 512 kB at 112 bytes a process,
    # 4 MB of datagrams at 400 bytes and more, or one ring of 2 MB at 432 bytes. Then it goes on, and must find the sleeper, whose fork may
    # not have been told.
    count = 12_000
    seen = probe(rights, source, [
        'sh', '-c', f'kill -STOP $PPID; "$0" waited --n {count} --ms 0 2>&-; sleep 2 & kill -CONT $PPID; wait',
        workloads / 'forks'], name='sleep')
    if source == 'perf' and seen['lifecycle'] != 'perf rings':
        pytest.skip('no perf rings on this machine')
    assert seen['lost'] > 0
    assert seen['lost_events'] > 0
    assert seen['named'] == 1
    assert seen['ends'] == seen['starts']
    assert count > seen['starts'] >= 3  # the shell, forks, the sleeper


def test_a_loss_is_said_also_when_nothing_more_happens_on_that_cpu(probe, workloads, rights):
    # a ring tells what it had no room for with its next record, which here never comes
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2 or tuple(map(int, os.uname().release.split('.')[:2])) < (6, 0):
        pytest.skip('needs two CPUs and Linux 6.0')
    seen = probe(rights, 'perf', [
        'taskset', '-c', str(cpus[0]), 'sh', '-c', 'kill -STOP $PPID; "$0" waited --n 9000 --ms 0 2>&-; '
        f'taskset -p -c {cpus[1]} $$ >&2; kill -CONT $PPID; exec sleep 0.2', workloads / 'forks'])
    if seen['lifecycle'] != 'perf rings':
        pytest.skip('no perf rings on this machine')
    assert seen['lost'] > 0
    assert seen['lost_events'] > 0
    assert seen['ends'] == seen['starts']


def test_others_who_begin_to_listen_are_no_loss(probe, rights):
    # the kernel's answer to them goes to everybody, with a number of its own
    listen = """
import os, socket, struct
for cpu in os.sched_getaffinity(0):
    os.sched_setaffinity(0, [cpu])
    for operation in 1, 2:
        with socket.socket(16, socket.SOCK_DGRAM, 11) as s:
            s.bind((0, 1))
            s.send(struct.pack('=IHHII IIIIHH I', 40, 3, 0, 0, os.getpid(), 1, 1, 0, 0, 4, 0, operation))
    if os.fork() == 0: os._exit(0)
    os.wait()
"""
    seen = probe(rights, 'connector', ['/usr/bin/python3', '-c', listen])
    assert seen['starts'] == seen['ends'] > 1
    assert (seen['lost'], seen['lost_events']) == (0, 0)


def test_where_perf_is_refused_the_next_source_follows(probe, workloads, rights):
    seen = probe(rights, 'best', [workloads / 'forks', 'waited', '--n', '2', '--ms', '300'], PROBE_NO_PERF='1')
    assert seen['tier'] == 'D'
    assert seen['lifecycle'] in ('proc connector', 'children files')
    assert 'perf_event_open(2): not permitted; a filter of system calls' in seen['stderr']
    assert (seen['starts'], seen['ends'], seen['counter_ns']) == (3, 3, -1)


@pytest.mark.root
@pytest.mark.parametrize('refused, tier', [(False, 'C'), (True, 'D')])
def test_in_a_container_the_connector_says_nothing(probe, workloads, refused, tier):
    rights = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--mount-proc']
    if subprocess.run([*rights, 'true'], capture_output=True).returncode:
        pytest.skip('no namespaces here')
    job = [workloads / 'forks', 'daemon', '--n', '2', '--ms', '300']
    seen = probe(rights, 'best', job, **({'PROBE_NO_PERF': '1'} if refused else {}))
    assert seen['tier'] == tier
    assert seen['lifecycle'] == 'children files' if refused else seen['lifecycle'] in ('perf rings', 'children files')
    assert seen['ends'] == seen['starts'] >= 3
