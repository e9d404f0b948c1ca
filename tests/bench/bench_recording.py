"""The size of a recording: a real run of 25 processes that all work, at 1 Hz, with every column, host and cgroup; and
the twelve columns that the format was chosen by, as tests/bench/recording.c makes them up."""
from __future__ import annotations

import os
import re
import subprocess
import tempfile

from figures import Figure, at_most
from programs import BUILD, JOBMETER, TREE_JOB

SHORT, LONG = 10, 40


def size(seconds: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'r.jm')
        subprocess.run([JOBMETER, 'run', '-q', '-i', '1s', '-o', path, '--', TREE_JOB, '--n', '24', '--seconds', str(seconds),
                        '--wakes', '50'], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return os.stat(path).st_size


def made_up() -> list[float]:
    """Bytes a row and megabytes of 25 processes with 12 columns in an hour."""
    with tempfile.TemporaryDirectory() as folder:
        text = subprocess.run([BUILD / 'tests/bench/recording'], cwd=folder, check=False, stdout=subprocess.PIPE, text=True).stdout
    found = re.search(r'12 columns.*?([\d.]+) B/row +([\d.]+) MB', text)
    if not found:
        raise RuntimeError(f'tests/bench/recording said: {text}')
    return [float(v) for v in found.groups()]


def run() -> list[Figure]:
    bytes_a_row, _ = made_up()
    per_second = (size(LONG) - size(SHORT)) / (LONG - SHORT)
    return [
        at_most('12 columns, 25 processes at 1 Hz', bytes_a_row, 13, 'B a process-sample', 'everything in motion; made up'),
        at_most('25 busy processes at 1 Hz, every column, machine and cgroup', per_second * 3600 / 1e6, 3, 'MB an hour',
                f'a real run: {LONG} s less {SHORT} s'),
    ]
