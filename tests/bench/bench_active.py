"""500 processes that all run in each tick: CPU, RSS, I/O and faults of each."""
from __future__ import annotations

from bench_sleepers import ours
from figures import Figure, at_most, median


def run() -> list[Figure]:
    us = median([ours(wakes=20)[0] for _ in range(3)])
    return [at_most('500 processes that all run, 10 Hz', us, 12, 'us CPU a process-sample', '20 naps a second each')]
