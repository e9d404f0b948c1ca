"""kill -9 of jobmeter at any moment leaves a readable recording that misses at most one tick."""
from __future__ import annotations

import csv
import io
import os
import pathlib
import random
import signal
import subprocess
import time

import pytest
from measured import Place

INTERVAL = 0.02
MOMENTS = 100  # over two chunks and two users
# The recording is written at the end of a tick: what may be missing is the tick that was being made (one interval),
# seen late by a machine with other work to do.
LATE = 0.25


def samples(place: Place, recording: pathlib.Path) -> list[float]:
    out = subprocess.run([str(place.dir / 'jobmeter'), 'export', str(recording), '-o', '-', '--format', 'csv'],
                         capture_output=True, text=True, check=True, timeout=60).stdout
    return sorted({float(row['time']) for row in csv.DictReader(io.StringIO(out))})


@pytest.mark.parametrize('chunk', range(2))
def test_killed_at_random_moments(place: Place, chunk: int) -> None:
    chance = random.Random(chunk)
    for i in range(MOMENTS // 4):
        recording = place.work / f'{i}.jm'
        argv = place.command([str(place.dir / 'jobmeter'), 'run', '-i', f'{int(INTERVAL * 1000)}ms', '-o', str(recording), '-q',
                              '--', place.workload('tree'), '--n', '3', '--seconds', '30'])
        job = subprocess.Popen(argv, cwd=place.work, start_new_session=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 30
            while not (recording.exists() and recording.stat().st_size > 12):
                assert time.monotonic() < deadline, 'no recording appeared'
                time.sleep(0.001)
            time.sleep(chance.uniform(0, 0.4))
            job.send_signal(signal.SIGKILL)
            killed = time.time()
            job.wait(timeout=30)
        finally:
            os.killpg(job.pid, signal.SIGKILL)
        text = subprocess.run([str(place.dir / 'jobmeter'), 'report', str(recording)], capture_output=True, text=True, timeout=60)
        assert text.returncode == 0, text.stderr
        assert 'still running when the recording ended' in text.stdout
        times = samples(place, recording)
        if times:
            assert killed - times[-1] <= INTERVAL + LATE
        recording.unlink()
