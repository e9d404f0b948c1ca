"""--exact=ptrace on jobs of known cost: every process, by name, with all of its CPU time, bytes and marks, without any rights."""
from __future__ import annotations

import os
from collections import Counter

import pytest
from measured import Measured, Place
from test_told import KIB, MODES, MS, Told

PYTHON = '/usr/bin/python3'
# what a process uses between its last look at its own clock and its end
TAIL_NS = 1 * MS


@pytest.fixture
def traced(place: Place):
    def run(workload: str, *args: str, options: tuple[str, ...] = ()) -> tuple[Measured, Told]:
        recording = place.work / 'run.jm'
        how = ('--tier', 'D', '--exact=ptrace', '-i', '100ms', '--wait', 'all', '-o', str(recording), '--overwrite', *options)
        m = place.run(workload, *args, options=how)
        why = [x['reason'] for x in m.summary['quality']['missing'] if x['metric'] == 'ptrace']
        if why:
            pytest.skip(why[0])
        assert m.summary['run']['tier'] == 'D'
        assert m.summary['quality']['lost_events'] == 0
        return m, Told(place, recording)
    return run


@pytest.mark.parametrize('mode', MODES)
def test_every_mode(traced, mode: str) -> None:
    m, t = traced('forks', mode, '--n', '20', '--ms', '10')
    processes = 41 if mode == 'daemon' else 21
    assert len(t.starts) == len(t.ends) == m.summary['processes']['started'] == processes
    assert Counter(e['name'] for e in t.ends.values()) == ({'forks': 1, 'exe': 20} if mode == 'exec' else {'forks': processes})
    total, attributed = m.summary['cpu']['total_ns'], m.summary['cpu']['attributed_ns']
    parts = sum(t.figures('process.cpu.total'))
    assert m.truth['total_ns'] <= parts
    # of what the kernel counted nothing is missing; adopted orphans are cut to microseconds by wait4(2)
    assert abs(total - parts) <= total * 0.002 + 2 * MS
    assert abs(total - attributed) <= total * 0.002 + 2 * MS
    # the job's own clocks are read before the end, and before and after its main()
    assert parts <= m.truth['total_ns'] * 1.03 + processes * (3 * TAIL_NS if mode == 'exec' else TAIL_NS)
    assert t.bounded() == (mode == 'thread')  # of several threads the last moments are in no clock of the process
    assert {e['status'] for e in t.ends.values()} <= {0, 7}


@pytest.mark.parametrize('count', [2_000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_a_storm_has_every_process_with_its_name(traced, count: int) -> None:
    m, t = traced('forks', 'exec', '--n', str(count), '--ms', '0')
    assert len(t.starts) == len(t.ends) == count + 1
    assert Counter(e['name'] for e in t.ends.values()) == {'forks': 1, 'exe': count}
    assert len(t.commands) == count + 1
    assert all(t.commands.values())
    assert {e['status'] for e in t.ends.values()} == {0}


def run_script(place: Place, traced, script: str) -> tuple[Measured, Told]:
    if not (place.dir / 'python').exists():
        (place.dir / 'python').symlink_to(PYTHON)
    return traced('python', '-c', script)


@pytest.mark.parametrize('waits', [True, False])
def test_all_at_once(place: Place, traced, waits: bool) -> None:
    count = 500
    m, t = run_script(place, traced, f'''
import os, signal
if not {waits}:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
barrier = os.pipe()
for number in range({count}):
    if os.fork() == 0:
        os.close(barrier[1])
        os.read(barrier[0], 1)  # until nobody has the other end
        os._exit(number % 100)
os.close(barrier[1])
try:
    while True: os.wait()
except ChildProcessError:
    pass
''')
    assert len(t.starts) == len(t.ends) == m.summary['processes']['started'] == count + 1
    assert Counter(e['status'] for e in t.ends.values())[7] == count // 100
    assert m.summary['processes']['max_live'] > count // 2
    assert t.bounded() == 0


def test_io_is_exact_to_the_byte(traced) -> None:
    size = 300_001
    m, t = traced('io', '--bytes', str(size), '--children', '5')
    wrote = sorted(t.figures('process.io.write_chars'))
    assert wrote == sorted([m.truth_bytes] + 5 * [size])
    page = os.sysconf('SC_PAGE_SIZE')
    assert sum(t.figures('process.io.write')) in (m.truth['io_write_bytes'], m.truth['io_write_bytes'] + page)
    assert m.summary['io']['write_chars'] == 5 * size + m.truth_bytes
    assert m.summary['quality']['sources']['io.write_chars'] == 'ptrace (exact)'


@pytest.mark.parametrize('mib', [1, 64, 300])
def test_high_water_marks(traced, mib: int) -> None:
    m, t = traced('peak', '--mib', str(mib), '--hold', '20')
    # two readings of one mark: what each CPU holds back of the two counters is in one of them and not in the other (32 pages each)
    slack = 2 * 32 * (os.cpu_count() or 1) * os.sysconf('SC_PAGE_SIZE') + 64 * KIB
    assert abs(max(t.figures('process.memory.high_water')) - m.truth['vm_hwm_bytes']) <= slack


def test_threads_are_summed(traced) -> None:
    m, t = traced('threads', '--n', '50', '--seconds', '0', '--burn', '5', '--procs', '2')
    parts = sum(t.figures('process.cpu.total'))
    assert m.truth['threads_cpu_ns'] <= parts <= m.truth['threads_cpu_ns'] * 1.03 + 120 * TAIL_NS


def test_ends_are_told_as_wait_would(place: Place, traced) -> None:
    _, t = run_script(place, traced, '''
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN) # nobody waits
for how in range(6):
    if os.fork() == 0:
        if how == 5: os.abort()
        if how == 4: os.kill(os.getpid(), signal.SIGKILL)
        os._exit(how)
try: os.wait()
except ChildProcessError: pass
''')
    children = [e for e in t.ends.values() if t.starts[e['subject']]['parent']]
    assert sorted((e['status'], e['signal']) for e in children if e['signal'] is None) == [(n, None) for n in range(4)]
    assert sorted(e['signal'] for e in children if e['signal']) == [6, 9]
