"""What jobmeter uses while a job of many processes goes on: seen from outside, and counted in what it recorded."""
from __future__ import annotations

import csv
import dataclasses
import os
import pathlib
import subprocess
import tempfile
import time

from programs import JOBMETER, TREE_JOB


@dataclasses.dataclass
class Steady:
    us: float  # CPU of jobmeter for one process in one sample
    fresh: float  # share of process-samples whose process had run
    rss: float  # largest resident size of jobmeter, bytes
    ticks: int


def cpu_clock(pid: int) -> int:
    """CPU time of all threads of a process in ns: clock_getcpuclockid(3)."""
    return time.clock_gettime_ns((~pid << 3) | 2)


def high_water(pid: int) -> int:
    status = pathlib.Path(f'/proc/{pid}/status').read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith('VmHWM:'))


def count(recording: str, begin: float, end: float) -> tuple[int, int, int]:
    """Process-samples, those that were fresh, and samples, in a span of the wall clock."""
    table = recording + '.csv'
    subprocess.run([JOBMETER, 'export', recording, '-o', table], check=True)
    rows = fresh = ticks = 0
    with open(table, encoding='utf-8', newline='') as f:
        for row in csv.DictReader(f):
            if begin < float(row['time']) <= end:
                rows += row['kind'] == 'process'
                fresh += row['kind'] == 'process' and row['state'] == 'fresh'
                ticks += row['kind'] == 'self'
    return rows, fresh, ticks


def steady(processes: int, wakes: int, settle: float, span: float, *options: str, interval: float = 0.1) -> Steady:
    """wakes: naps a second of each process; settle: seconds until everybody is there and dear figures were read once."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'r.jm')
        seconds = settle + span + 2
        ours = subprocess.Popen([JOBMETER, 'run', '-q', '-i', f'{interval}s', '-o', path, *options, '--', TREE_JOB, '--n', str(processes - 1),
                                 '--seconds', f'{seconds:.0f}', '--wakes', str(wakes)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(settle)
        begin, before = time.time(), cpu_clock(ours.pid)
        time.sleep(span)
        end, after = time.time(), cpu_clock(ours.pid)
        rss = high_water(ours.pid)
        if ours.wait() != 0:
            raise RuntimeError('jobmeter or its job failed')
        rows, fresh, ticks = count(path, begin, end)
        if rows < processes * ticks * 0.99 or ticks < 2:
            raise RuntimeError(f'{rows} process-samples in {ticks} samples: not all of {processes} were there')
        return Steady((after - before) / 1000 / rows, fresh / rows, rss, ticks)
