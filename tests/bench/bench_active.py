"""500 processes that all run in each tick: CPU, RSS, I/O and faults of each."""
from __future__ import annotations

from figures import Figure, at_most, interleaved, median, only
from steady import Steady, steady

NAPS, ROUNDS = 20, 5  # naps of each process in a second: two a sample


def run() -> list[Figure]:
    spans: list[Steady] = []

    def one(*options: str) -> float:
        spans.append(steady(500, NAPS, 3, 4, *options))
        return spans[-1].us

    four, all_figures = interleaved(ROUNDS, lambda: one('--overhead', '0.01%'), one)
    return [
        at_most('500 processes that all run, 10 Hz: CPU, RSS, I/O, faults', median(four), 12, 'us CPU a process-sample',
                f'all CPU of jobmeter; no budget for dear figures; least {min(four):.2f}, most {max(four):.2f}'),
        only('... with PSS, USS, status within the usual budget', median(all_figures), 'us CPU a process-sample',
             f'least {min(all_figures):.2f}, most {max(all_figures):.2f}'),
        only('... that had run when they were asked', median([s.fresh for s in spans]) * 100, '% of the process-samples'),
    ]
