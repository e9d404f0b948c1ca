"""CPU of jobmeter for one process in one sample, beside the bare kernel call that it cannot do without, and beside others:
100, 1,000 and 5,000 processes that sleep, and as many that all run between two samples."""
from __future__ import annotations

import os
import subprocess

import psutil
import resource_tracker
from bench_sleepers import psutil_scan
from figures import Figure, at_most, interleaved, median, only
from programs import BUILD, tree
from steady import Steady, steady

ROUNDS = 3
SIZES = (100, 1_000, 5_000)
# Until everybody is there and the program that samples is loaded (4,000 process-samples).
SETTLE, SPAN = 8, 12
# PSS, USS and status have a budget of their own, which a run spends on many processes for its first minutes.
NO_BUDGET = ('--overhead', '0.01%')


def bare(way: str, root: int, ticks: int, interval: float) -> tuple[float, float]:
    """us for one process in one sample, and the share of them that had run."""
    done = subprocess.run([str(BUILD / 'tests/bench/floor'), way, str(root), str(ticks), f'{interval * 1000:.0f}'],
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    us, fresh = done.stdout.split()
    return float(us), float(fresh)


def one_size(size: int, runs: bool, tier: str, options: tuple[str, ...] = NO_BUDGET) -> list[Figure]:
    interval = 0.1 if size <= 1_000 else 1.0
    naps = round(2 / interval) if runs else 0
    way = 'sample' if tier == 'A' else 'clock'
    spans: list[Steady] = []

    def ours() -> float:
        # the longer interval needs longer to have as many samples
        spans.append(steady(size, naps, SETTLE, SPAN * (3 if interval == 1 else 1), '--tier', tier, *options, interval=interval))
        return spans[-1].us

    with tree(size, naps) as root:
        def floor() -> float:
            return bare(way, root, 30 if interval < 1 else 12, interval)[0]

        alone = [floor() for _ in range(3)]
    # the tree above has ended: two at once would share the caches
    measured, = interleaved(ROUNDS, ours)
    with tree(size, naps) as root:
        alone += [floor() for _ in range(3)]
    us, least = median(measured), median(alone)
    what = f'{size:,} processes that {"all run" if runs else "sleep"}, tier {tier}'
    note = (f'every {interval:g} s, all CPU of jobmeter, recording included, {"no" if options else "the usual"} budget for dear figures; least {min(measured):.3f}, most {max(measured):.3f}; '
            f'{median([s.fresh for s in spans]) * 100:.0f} % had run')
    figures = [only(f'{what}: the bare call', least, 'us CPU a process-sample', f'`tests/bench/floor {way}`; least {min(alone):.3f}, most {max(alone):.3f}')]
    if tier == 'A' and size == 1_000 and not runs:
        figures.append(at_most(what, us, 0.6, 'us CPU a process-sample', note))
    else:
        figures.append(only(what, us, 'us CPU a process-sample', note))
    if tier == 'A':
        figures.append(at_most(f'{what}: against the bare call', us / least, 2, 'times'))
    else:
        figures.append(only(f'{what}: against the bare call', us / least, 'times'))
    return figures


def peers(size: int) -> list[Figure]:
    with tree(size) as root:
        tracker = resource_tracker.ProcessTracker(pid=root, interval=1, autostart=False)
        loop = median([psutil_scan(root) for _ in range(3)])

        def scan() -> float:
            begin = psutil.Process().cpu_times()
            tracker.diff_stats()
            end = psutil.Process().cpu_times()
            return (end.user + end.system - begin.user - begin.system) / size * 1e6

        tracked = median([scan() for _ in range(3)])
    return [only(f'{size:,} processes that sleep: psutil loop', loop, 'us CPU a process-sample', 'CPU times, memory_full_info, io_counters'),
            only(f'{size:,} processes that sleep: resource-tracker', tracked, 'us CPU a process-sample', '`ProcessTracker.diff_stats()`')]


def run() -> list[Figure]:
    figures: list[Figure] = []
    tiers = 'AC' if os.geteuid() == 0 else 'C'
    for size in SIZES:
        for runs in (False, True):
            for tier in tiers:
                figures += one_size(size, runs, tier)
        figures += peers(size)
    return figures
