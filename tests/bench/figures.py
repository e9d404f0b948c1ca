"""A measured figure, what it is held against, and how it is shown."""
from __future__ import annotations

import dataclasses
import math
import random
import statistics
from collections.abc import Callable, Sequence


@dataclasses.dataclass
class Figure:
    what: str
    value: float
    unit: str
    bar: str = ''  # as people read it: "at most 2"
    holds: bool | None = None  # None: there is no bar
    note: str = ''


def at_most(what: str, value: float, bar: float, unit: str, note: str = '') -> Figure:
    return Figure(what, value, unit, f'at most {bar:g}', value <= bar, note)


def at_least(what: str, value: float, bar: float, unit: str, note: str = '') -> Figure:
    return Figure(what, value, unit, f'at least {bar:g}', value >= bar, note)


def only(what: str, value: float, unit: str, note: str = '') -> Figure:
    return Figure(what, value, unit, '', None, note)


def digits(value: float) -> str:
    if value == 0 or not math.isfinite(value):
        return f'{value:g}'
    return f'{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}'


def table(figures: Sequence[Figure]) -> str:
    rows = ['| figure | measured | bar | | how |', '|---|---|---|---|---|']
    rows += [f'| {f.what} | {digits(f.value)} {f.unit} | {f.bar} | {"" if f.holds is None else "holds" if f.holds else "**missed**"} | {f.note} |'
             for f in figures]
    return '\n'.join(rows)


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def upper_bound(values: Sequence[float], share: float = 0.95, rounds: int = 2000) -> float:
    """Upper end of the one-sided bootstrap interval of the median."""
    chance = random.Random(1)
    medians = sorted(statistics.median(chance.choices(values, k=len(values))) for _ in range(rounds))
    return medians[int(share * rounds) - 1]


def interleaved(rounds: int, *jobs: Callable[[], float]) -> list[list[float]]:
    """Each job once a round, in turn, so that what else the machine does falls on all of them."""
    results: list[list[float]] = [[] for _ in jobs]
    for i in range(rounds):
        order = range(len(jobs)) if i % 2 == 0 else reversed(range(len(jobs)))
        for k in order:
            results[k].append(jobs[k]())
    return results
