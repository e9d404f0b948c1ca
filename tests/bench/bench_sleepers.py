"""500 sleeping processes at 10 Hz: CPU of jobmeter for one process in one sample, beside others on such a tree."""
from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time

import psutil
import resource_tracker
from figures import Figure, at_least, at_most, interleaved, median, only
from programs import JOBMETER, TREE_JOB, tree
from steady import Steady, cpu_clock, steady

PROCESSES, ROUNDS = 500, 3
# Dear figures of 500 processes are read once in the first twelve seconds, within their budget. After 20 to 36 s each
# sleeper's memory is looked at again: a span of 30 s has that in it.
SETTLE, SPAN = 12, 30


def psutil_scan(root: int) -> float:
    processes = [psutil.Process(root), *psutil.Process(root).children(recursive=True)]
    begin = time.process_time()
    for p in processes:
        with p.oneshot():
            p.cpu_times()
            p.memory_full_info()
            p.io_counters()
    return (time.process_time() - begin) / len(processes) * 1e6


def resource_tracker_scan(tracker: resource_tracker.ProcessTracker) -> float:
    begin = time.process_time()
    tracker.diff_stats()
    return (time.process_time() - begin) / PROCESSES * 1e6


def own_account() -> float:
    """overhead.cpu_ns as a share of what the kernel has for jobmeter when it has ended and nobody has waited for it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 's.json')
        ours = subprocess.Popen([JOBMETER, 'run', '-q', '-i', '100ms', '--json', path, '--', TREE_JOB, '--n', '99', '--seconds', '3'],
                                stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.waitid(os.P_PID, ours.pid, os.WEXITED | os.WNOWAIT)
        all_ns = cpu_clock(ours.pid)
        ours.wait()
        with open(path, encoding='utf-8') as f:
            return float(json.load(f)['overhead']['cpu_ns']) / all_ns


def run() -> list[Figure]:
    ours: list[Steady] = []

    def one() -> float:
        ours.append(steady(PROCESSES, 0, SETTLE, SPAN))
        return ours[-1].us

    with tree(PROCESSES) as root:
        tracker = resource_tracker.ProcessTracker(pid=root, interval=1, autostart=False)
        mine, loop, tracked = interleaved(ROUNDS, one, lambda: median([psutil_scan(root) for _ in range(5)]),
                                          lambda: median([resource_tracker_scan(tracker) for _ in range(5)]))
    us = median(mine)
    return [
        at_most('500 sleeping processes, 10 Hz', us, 2, 'us CPU a process-sample',
                f'all CPU of jobmeter in {SPAN} s of steady state; least {min(mine):.2f}, most {max(mine):.2f}'),
        only('psutil loop with memory_full_info', median(loop), 'us CPU a process-sample', 'CPU times, memory_full_info, io_counters of such a tree'),
        only('resource-tracker', median(tracked), 'us CPU a process-sample', '`ProcessTracker.diff_stats()` of such a tree'),
        at_least('psutil loop against jobmeter', median(loop) / us, 50, 'times'),
        at_least('resource-tracker against jobmeter', median(tracked) / us, 50, 'times'),
        at_most('resident size of jobmeter with 500 processes', max(s.rss for s in ours) / 2**20, 6, 'MiB', 'VmHWM'),
        only('overhead.cpu_ns of all CPU of jobmeter', own_account() * 100, '%', 'the rest is before its start and behind the summary'),
    ]
