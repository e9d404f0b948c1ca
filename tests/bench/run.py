"""./dev bench [NAME...] [--write]: what jobmeter costs, beside what others cost, in one run, interleaved, medians.

Each benchmark is a file bench_NAME.py with `run() -> list[Figure]`. --write puts the table into docs/benchmarks.md."""
from __future__ import annotations

import argparse
import datetime
import importlib
import os
import pathlib
import platform
import sys

from figures import Figure, table

HERE = pathlib.Path(__file__).resolve().parent
NAMES = ['sleepers', 'active', 'start', 'loop', 'recording']


def machine() -> str:
    model = next((line.split(':', 1)[1].strip() for line in pathlib.Path('/proc/cpuinfo').read_text().splitlines()
                  if line.startswith('model name')), platform.machine())
    return f'{os.cpu_count()} CPUs ({model}), Linux {platform.release()}, {datetime.date.today().isoformat()}'


def main() -> int:
    parser = argparse.ArgumentParser(prog='./dev bench', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='NAME', help=f'of {", ".join(NAMES)}; all by default')
    parser.add_argument('--write', action='store_true', help='write docs/benchmarks.md')
    args = parser.parse_args()
    unknown = set(args.names) - set(NAMES)
    if unknown:
        parser.error(f'no such benchmark: {", ".join(sorted(unknown))}')
    figures: list[Figure] = []
    for name in args.names or NAMES:
        print(f'{name} ...', file=sys.stderr, flush=True)
        figures += importlib.import_module(f'bench_{name}').run()
    text = table(figures)
    print(text)
    if args.write:
        page = HERE.parents[1] / 'docs/benchmarks.md'
        page.write_text('# What jobmeter costs\n\nMade by `./dev bench --write`: side by side in one run, interleaved, medians. The machine is shared, so ratios\n'
                        f'mean more than times.\n\nMachine: {machine()}.\n\n{text}\n')
    return 0 if all(f.holds is not False for f in figures) else 1


if __name__ == '__main__':
    sys.exit(main())
