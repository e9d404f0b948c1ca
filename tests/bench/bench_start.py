"""What `jobmeter run -- true` adds to `true`."""
from __future__ import annotations

import shutil
import time

from figures import Figure, at_most, interleaved, median, only
from programs import JOBMETER, cost

# The kernel takes the hooks of perf out of its scheduler a second after the last event, and puts them back for the next
# one: that waits for a grace period of RCU, whoever asks (kernel/events/core.c: account_event()).
UNHOOKED = 1.5


def ms(*argv: str) -> float:
    return cost(list(argv), first=True)[0] * 1e3


def run() -> list[Figure]:
    true = shutil.which('true') or '/bin/true'
    run_true = [JOBMETER, 'run', '-q']

    def cold() -> float:
        time.sleep(UNHOOKED)
        return ms(*run_true, '--', true)

    bare, kept, unkept = interleaved(61, lambda: ms(true), lambda: ms(*run_true, '--', true),
                                     lambda: ms(*run_true, '--no-record', '--', true))
    alone, first = interleaved(9, lambda: ms(true), cold)
    return [
        at_most('`run -- true` adds', median(kept) - median(bare), 10, 'ms wall', 'the run is kept; medians of 61'),
        only('... with --no-record', median(unkept) - median(bare), 'ms wall'),
        only('... when no perf event was open on the machine for a second', median(first) - median(alone), 'ms wall',
             'the kernel may wait for a grace period of RCU, unless others keep one open; medians of 9'),
    ]
