"""What `jobmeter run -- true` adds to `true`."""
from __future__ import annotations

import shutil

from figures import Figure, at_most, interleaved, median, only
from programs import JOBMETER, cost


def run() -> list[Figure]:
    true = shutil.which('true') or '/bin/true'
    bare, kept, unkept = interleaved(61, lambda: cost([true])[0], lambda: cost([JOBMETER, 'run', '-q', '--', true])[0],
                                     lambda: cost([JOBMETER, 'run', '-q', '--no-record', '--', true])[0])
    return [
        at_most('`run -- true` adds', (median(kept) - median(bare)) * 1e3, 10, 'ms wall', 'the run is kept; medians of 61'),
        only('the same with --no-record', (median(unkept) - median(bare)) * 1e3, 'ms wall'),
    ]
