"""The programs that are measured: ours, and the jobs."""
from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import subprocess
import time
from collections.abc import Iterator
from typing import Any

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('JOBMETER_BUILD', TREE / 'build')).resolve()
JOBMETER = str(BUILD / 'cli/jobmeter')
TREE_JOB = str(BUILD / 'tests/workloads/tree')


@functools.cache
def may_be_first() -> bool:
    """May we run before all that others do here? Then a wall time is the program's own."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except OSError:
        return False
    return True


def cost(argv: list[str], first: bool = False) -> tuple[float, float]:
    """Wall and CPU seconds of a command with everything that it waited for. first: it has the CPUs before all others, if
    that is allowed; for short commands, the kernel does not let such ones have a CPU all the time."""
    scheduler: dict[str, Any] = {'scheduler': (os.SCHED_FIFO, os.sched_param(1))} if first and may_be_first() else {}
    begin = time.monotonic()
    pid = os.posix_spawnp(argv[0], argv, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 0, '/dev/null', os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, '/dev/null', os.O_WRONLY, 0)], **scheduler)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError(f'{argv}: status {status}')
    return time.monotonic() - begin, usage.ru_utime + usage.ru_stime


@contextlib.contextmanager
def tree(processes: int, wakes: int = 0) -> Iterator[int]:
    """A tree of processes that lives as long as the block; its root's pid."""
    job = subprocess.Popen([TREE_JOB, '--n', str(processes - 1), '--seconds', '600', '--wakes', str(wakes)], stderr=subprocess.DEVNULL,
                           stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        deadline = time.monotonic() + 30
        children = pathlib.Path(f'/proc/{job.pid}/task/{job.pid}/children')
        while len(children.read_text().split()) < processes - 1:
            if time.monotonic() > deadline:
                raise RuntimeError('the tree did not grow')
            time.sleep(0.02)
        yield job.pid
    finally:
        os.killpg(job.pid, 9)
        job.wait()
