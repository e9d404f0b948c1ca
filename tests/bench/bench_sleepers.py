"""500 sleeping processes at 10 Hz: CPU of jobmeter for one process in one sample, beside others on such a tree."""
from __future__ import annotations

import time

import psutil
import resource_tracker
from figures import Figure, at_least, at_most, interleaved, median, only
from programs import TREE_JOB, summary, tree

PROCESSES = 500


def ours(processes: int = PROCESSES, wakes: int = 0, short: int = 3, long: int = 9) -> tuple[float, float]:
    """Microseconds of CPU per process-sample in the steady state (a long run less a short one), and peak RSS in bytes."""
    used, rss = [], 0
    for seconds in (short, long):
        s = summary([TREE_JOB, '--n', str(processes - 1), '--seconds', str(seconds), '--wakes', str(wakes)], '-i', '100ms')
        used.append(s['overhead']['cpu_ns'])
        rss = s['overhead']['peak_rss_bytes']
    samples = (long - short) * 10 * processes
    return (used[1] - used[0]) / 1000 / samples, rss


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


def run() -> list[Figure]:
    mine: list[float] = []
    rss = 0.0

    def one() -> float:
        nonlocal rss
        value, size = ours()
        rss = max(rss, size)
        return value

    with tree(PROCESSES) as root:
        tracker = resource_tracker.ProcessTracker(pid=root, interval=1, autostart=False)
        mine, loop, tracked = interleaved(3, one, lambda: psutil_scan(root), lambda: resource_tracker_scan(tracker))
    us = median(mine)
    return [
        at_most('500 sleeping processes, 10 Hz', us, 2, 'us CPU a process-sample', 'overhead.cpu_ns of 9 s less that of 3 s'),
        only('psutil loop with memory_full_info', median(loop), 'us', 'the same figures of the same kind of tree'),
        only('resource-tracker', median(tracked), 'us', 'one call of ProcessTracker'),
        at_least('psutil loop against jobmeter', median(loop) / us, 50, 'times'),
        at_least('resource-tracker against jobmeter', median(tracked) / us, 50, 'times'),
        at_most('resident size of jobmeter with 500 processes', rss / 2**20, 6, 'MiB', 'overhead.peak_rss_bytes'),
    ]
