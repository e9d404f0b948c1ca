"""The size of a recording: a real run of 25 processes that all work, at 1 Hz, with every column, host and cgroup."""
from __future__ import annotations

import os
import subprocess
import tempfile

from figures import Figure, at_most
from programs import JOBMETER, TREE_JOB

SHORT, LONG = 10, 40


def size(seconds: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'r.jm')
        subprocess.run([JOBMETER, 'run', '-q', '-i', '1s', '-o', path, '--', TREE_JOB, '--n', '24', '--seconds', str(seconds),
                        '--wakes', '50'], check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return os.stat(path).st_size


def run() -> list[Figure]:
    per_second = (size(LONG) - size(SHORT)) / (LONG - SHORT)
    return [at_most('25 busy processes at 1 Hz, every column', per_second * 3600 / 1e6, 3, 'MB an hour', f'{LONG} s less {SHORT} s')]
