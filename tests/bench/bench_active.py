"""500 processes that all run in each tick: CPU, RSS, I/O and faults of each."""
from __future__ import annotations

from figures import Figure, at_most, median, only
from steady import steady

NAPS, ROUNDS = 20, 5  # naps of each process in a second: two a sample


def run() -> list[Figure]:
    spans = [steady(500, NAPS, 4, 6) for _ in range(ROUNDS)]
    us = [s.us for s in spans]
    return [
        at_most('500 processes that all run, 10 Hz', median(us), 12, 'us CPU a process-sample',
                f'all CPU of jobmeter in 6 s; least {min(us):.2f}, most {max(us):.2f}'),
        only('... that had run when they were asked', median([s.fresh for s in spans]) * 100, '% of the process-samples'),
    ]
