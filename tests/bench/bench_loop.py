"""A shell loop of 2,000 /bin/true: the price of following short processes."""
from __future__ import annotations

from figures import Figure, at_most, interleaved, median, upper_bound
from programs import JOBMETER, cost

LOOP = ['sh', '-c', 'i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i+1)); done']
ROUNDS = 9


def run() -> list[Figure]:
    results: list[tuple[float, float]] = []

    def measured(argv: list[str]) -> float:
        results.append(cost(argv))
        return results[-1][0]

    pairs = {'bare': [], 'ours': []}  # type: dict[str, list[tuple[float, float]]]

    def bare() -> float:
        wall = measured(LOOP)
        pairs['bare'].append(results[-1])
        return wall

    def ours() -> float:
        wall = measured([JOBMETER, 'run', '-q', '--', *LOOP])
        pairs['ours'].append(results[-1])
        return wall

    interleaved(ROUNDS, bare, ours)
    wall = [o[0] / b[0] for b, o in zip(pairs['bare'], pairs['ours'], strict=True)]
    cpu = [o[1] / b[1] for b, o in zip(pairs['bare'], pairs['ours'], strict=True)]
    return [
        at_most('2,000 /bin/true, wall', median(wall), 1.10, 'times bare', f'95 % bound {upper_bound(wall):.3f}; {ROUNDS} pairs'),
        at_most('2,000 /bin/true, CPU of all', median(cpu), 1.10, 'times bare', f'95 % bound {upper_bound(cpu):.3f}; jobmeter included'),
    ]
