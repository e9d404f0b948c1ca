"""./dev bench [NAME...] [--write]: what jobmeter costs, beside what others cost, in one run, interleaved, medians.

Each benchmark is a file bench_NAME.py with `run() -> list[Figure]`. --write puts the table into docs/benchmarks.md.
cost is jobs and floor. accuracy runs when it is named; it is about truth, not cost, and writes its part of docs/accuracy.md itself."""
from __future__ import annotations

import argparse
import contextlib
import datetime
import importlib
import os
import pathlib
import platform
import sys

from figures import Figure, table

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ['sleepers', 'active', 'start', 'jobs', 'floor', 'recording']
GROUPS = {'cost': ['jobs', 'floor']}


PAGE = """# What jobmeter costs

Made by `./dev bench --write`, of a release build: side by side in one run, interleaved, medians. `./dev bench NAME`
repeats one part. Programs that are compared run one after the other in turn, so that what else the machine does falls on
all of them; ratios mean more than times. As root everything runs at nice -15, and `true` before all others (SCHED_FIFO).

Machine: {machine}.

{table}

How it is measured: CPU is all that the kernel counts for jobmeter between two moments, divided by the process-samples
that the recording has of that span; so a tick that was missed makes the figure larger. What others need is the CPU time of
the calls that fetch the same figures, without an interpreter's start and without a recording. No allocation in a steady
tick is a test (`tests/unit/test_steady_run.c`), and so are the sizes of made-up recordings (`tests/bench/recording.c`).
"""


def machine() -> str:
    model = next((line.split(':', 1)[1].strip() for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines()
                  if line.startswith('model name')), platform.machine())
    return f'{os.cpu_count()} CPUs ({model}), Linux {platform.release()}, {datetime.date.today().isoformat()}, load average {os.getloadavg()[0]:.1f}'


def main() -> int:
    parser = argparse.ArgumentParser(prog='./dev bench', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='NAME', help=f'of {", ".join(NAMES)}; all by default; cost is jobs and floor; or accuracy alone')
    parser.add_argument('--quick', action='store_true', help='accuracy: a smaller storm, and only shown')
    parser.add_argument('--only', default='', metavar='TEXT', help='accuracy: only jobs whose name begins so, and only shown')
    parser.add_argument('--write', action='store_true', help='write docs/benchmarks.md')
    args = parser.parse_args()
    if args.names == ['accuracy']:
        import bench_accuracy
        held = bench_accuracy.run(args.quick, args.only, not args.quick and not args.only)
        print(table(held))
        return 0 if all(f.holds is not False for f in held) else 1
    names = [n for name in args.names or NAMES for n in GROUPS.get(name, [name])]
    unknown = set(names) - set(NAMES)
    if unknown:
        parser.error(f'no such benchmark: {", ".join(sorted(unknown))}')
    where = machine()  # before the load is ours
    print(where, file=sys.stderr)
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    figures: list[Figure] = []
    for name in names:
        print(f'{name} ...', file=sys.stderr, flush=True)
        figures += importlib.import_module(f'bench_{name}').run()
    text = table(figures)
    print(text)
    if args.write:
        page = HERE.parents[1] / 'docs/benchmarks.md'
        page.write_text(PAGE.format(machine=where, table=text), encoding='utf-8')
    return 0 if all(f.holds is not False for f in figures) else 1


if __name__ == '__main__':
    sys.exit(main())
