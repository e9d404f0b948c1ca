"""What a hypervisor took from this machine. Perf's task clock counts it as the job's, the scheduler's clocks do not."""
from __future__ import annotations

UNIT_NS = 10_000_000


def ticks() -> int:
    """Since boot, in units of 10 ms, of all CPUs."""
    with open('/proc/stat') as file:
        return int(file.readline().split()[8])


def at_most_ns(before: int) -> int:
    """Since then. The file tells whole units only; where nothing was ever taken there is no hypervisor that takes."""
    now = ticks()
    return (now - before + 1) * UNIT_NS if now else 0
