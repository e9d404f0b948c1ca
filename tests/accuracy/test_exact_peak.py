"""--exact=peak: the largest sum of resident memory, where the high-water marks of processes that peak at different times, and samples that
come too seldom, leave a wide range."""
from __future__ import annotations

import os

import pytest
from measured import Measured, Place

pytestmark = pytest.mark.root

MIB = 1 << 20
PAGE = os.sysconf('SC_PAGE_SIZE')
CPUS = os.cpu_count() or 1
# what each CPU may hold back of three counters of a process
HELD_BACK = 3 * max(32, 2 * CPUS) * CPUS * PAGE

# COUNT children live side by side; one after the other has MIB of memory for a moment. Whoever has it says how much all have then.
IN_TURN = '''
import json, mmap, os, sys
count, mib = int(sys.argv[1]), int(sys.argv[2])
turns = [os.pipe() for _ in range(count + 1)]
pids = mmap.mmap(-1, 4096)  # shared

def resident(pid):
    with open(f'/proc/{pid}/statm') as file:
        return int(file.read().split()[1]) * mmap.PAGESIZE

def child(i):
    os.read(turns[i][0], 1)
    memory = mmap.mmap(-1, mib << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for at in range(0, mib << 20, mmap.PAGESIZE):
        memory[at] = 1
    everybody = [int.from_bytes(pids[4 * n:4 * n + 4], 'little') for n in range(count + 1)]
    most = max(sum(map(resident, everybody)), int.from_bytes(pids[2048:2056], 'little'))
    pids[2048:2056] = most.to_bytes(8, 'little')
    memory.close()
    os.write(turns[i + 1][1], b'x')
    os.read(turns[count][0], 1)  # lives on
    os.write(turns[count][1], b'x')
    os._exit(0)

def note(n, pid):
    pids[4 * n:4 * n + 4] = pid.to_bytes(4, 'little')

note(count, os.getpid())
for i in range(count):
    pid = os.fork()
    if pid == 0:
        child(i)
    note(i, pid)
os.write(turns[0][1], b'x')
for _ in range(count):
    os.wait()
os.write(3, json.dumps({'most': int.from_bytes(pids[2048:2056], 'little')}).encode())
'''


@pytest.fixture
def summed(place: Place):
    def run(workload: str, *args: str, options: tuple[str, ...] = ('--exact=peak',)) -> Measured:
        m = place.run(workload, *args, options=('-i', '10s', '--wait', 'all', *options))
        if m.summary['run']['tier'] != 'A':
            pytest.skip('; '.join(x['reason'] for x in m.summary['quality']['missing'] if x['metric'] == 'bpf'))
        why = [x['reason'] for x in m.summary['quality']['missing'] if x['metric'] == 'memory.peak_rss_bytes.exact']
        if why:
            pytest.skip(why[0])
        return m
    return run


def python(place: Place) -> str:
    interpreter = place.dir / 'python'
    if not interpreter.exists():
        interpreter.symlink_to('/usr/bin/python3')
    return 'python'


def range_of(m: Measured) -> tuple[int, int]:
    peak = m.summary['memory']['peak_rss_bytes']
    return peak['low'], peak['high']


@pytest.mark.parametrize('count', [3, 12])
def test_processes_that_peak_at_different_times(place: Place, summed, count: int) -> None:
    job = (python(place), '-c', IN_TURN, str(count), '64')
    m = summed(*job)
    low, high = range_of(m)
    assert low == high
    # while the sum is read, and before it, nobody else does anything; the reader itself takes a few pages more
    assert abs(low - m.truth['most']) <= (count + 1) * HELD_BACK
    assert 'bpf rss_stat (exact' in m.summary['quality']['sources']['memory.peak_rss_bytes.low']
    # without it: at least one of them, at most all of them
    low, high = range_of(summed(*job, options=()))
    assert high - low >= (count - 1) * 60 * MIB


@pytest.mark.parametrize('args', [('--mib', '64'), ('--mib', '64', '--child'), ('--mib', '32', '--cow', '3', '--write', '8'),
                                  ('--mib', '32', '--shared', '3')])
def test_jobs_of_known_memory(summed, args: tuple[str, ...]) -> None:
    m = summed('peak', *args, '--hold', '20')
    low, high = range_of(m)
    assert low == high
    processes = m.truth['processes'] + 1
    assert abs(low - m.truth['seen_rss_bytes']) <= processes * (HELD_BACK + m.truth['base_bytes'])


def test_a_storm_leaves_nothing_behind(summed) -> None:
    # what each of 2,000 leaves in the sum would be megabytes
    m = summed('forks', 'exec', '--n', '2000', '--ms', '0')
    low, high = range_of(m)
    assert low == high <= 16 * MIB


def test_it_is_said_where_it_cannot_be(place: Place) -> None:
    m = place.run('peak', '--mib', '8', options=('--exact=peak', '--no-bpf'))
    why = [x['reason'] for x in m.summary['quality']['missing'] if x['metric'] == 'memory.peak_rss_bytes.exact']
    assert why and 'BPF' in why[0]
    assert m.summary['memory']['peak_rss_bytes']['high'] >= 8 * MIB
