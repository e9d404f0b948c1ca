"""What a job costs more under jobmeter: pairs of runs with and without, one after the other in turn; jobmeter's own CPU
time counts with the job's. The bar is for the upper end of the 95 % interval of the median ratio."""
from __future__ import annotations

import os
import subprocess
import sys

from figures import Figure, at_most, interleaved, median, only, upper_bound
from programs import BUILD, JOBMETER, cost

ROUNDS = 31
WORKLOADS = BUILD / 'tests/workloads'
JOBS: dict[str, tuple[list[str], float]] = {
    '2,000 /bin/true': (['sh', '-c', 'i=0; while [ $i -lt 2000 ]; do /bin/true; i=$((i+1)); done'], 1.05),
    'a CPU-bound job': ([str(WORKLOADS / 'burn'), '--loops', '50000'], 1.01),
    'a page-faulting job': ([str(WORKLOADS / 'faults'), '--mib', '64', '--rounds', '50'], 1.02),
    'socket ping-pong': ([str(WORKLOADS / 'net'), 'tcp', '--rounds', '40000', '--up', '100', '--down', '100'], 1.05),
}


def statistics(command: list[str]) -> str:
    """By the kernel's own run statistics, in a run that is not timed, as they cost something themselves."""
    done = subprocess.run([str(BUILD / 'tests/bench/bpf_stats'), JOBMETER, 'run', '-q', '--no-record', '--', *command],
                          capture_output=True, text=True)
    if done.returncode:
        return f'no run statistics: {done.stderr.strip()}'
    said = []
    for line in done.stdout.splitlines():
        name, runs, ns = line.rsplit(' ', 2)
        if not name.startswith('__loader'):
            said.append(f'{name} {int(runs):,} times {int(ns) / int(runs):,.0f} ns')
    return '; '.join(said) or 'no BPF program ran'


def one_job(name: str, command: list[str], bar: float, tier: str) -> list[Figure]:
    measured: list[list[tuple[float, float]]] = [[], []]

    def timed(k: int, argv: list[str]) -> float:
        measured[k].append(cost(argv))
        return measured[k][-1][1]

    ours = [JOBMETER, 'run', '-q', '--tier', tier, '--', *command]
    interleaved(ROUNDS, lambda: timed(0, command), lambda: timed(1, ours))
    ratio = [o[1] / b[1] for b, o in zip(*measured)]
    wall = [o[0] / b[0] for b, o in zip(*measured)]
    bare_s = median([b[1] for b in measured[0]])
    figures = [
        at_most(f'{name}, tier {tier}: CPU of all', upper_bound(ratio), bar, 'times bare',
                f'95 % bound of {ROUNDS} pairs; median {median(ratio):.4f} of {bare_s:.2f} s bare'),
        only(f'{name}, tier {tier}: wall', median(wall), 'times bare', f'95 % bound {upper_bound(wall):.3f}'),
    ]
    if tier == 'A':
        figures[0].note += '; ' + statistics(command)
    return figures


def run() -> list[Figure]:
    tier = 'A' if os.geteuid() == 0 else 'C'
    figures: list[Figure] = []
    for name, (command, bar) in JOBS.items():
        print(f'  {name}', file=sys.stderr, flush=True)
        figures += one_job(name, command, bar, tier)
    return figures
