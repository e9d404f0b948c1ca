"""The ground truth of CPU time: a control group that holds the job alone, which no tool here reads."""
from __future__ import annotations

import itertools
import os
import pathlib
import time

_number = itertools.count()


def _mounts() -> list[tuple[str, pathlib.Path, pathlib.Path]]:
    """(kind, root of the mount, where it is) of control groups; of the first version only the one with cpuacct."""
    found = []
    for line in pathlib.Path('/proc/self/mountinfo').read_text().splitlines():
        left, right = line.split(' - ', 1)
        kind, _, options = right.split(' ', 2)
        if kind == 'cgroup2' or (kind == 'cgroup' and 'cpuacct' in options.split(',')):
            found.append((kind, pathlib.Path(left.split()[3]), pathlib.Path(left.split()[4])))
    return sorted(found)  # the first version first: jobmeter itself makes groups of the second only


def _own(kind: str) -> str:
    for line in pathlib.Path('/proc/self/cgroup').read_text().splitlines():
        _, controllers, path = line.split(':', 2)
        if (kind == 'cgroup2' and not controllers) or (kind == 'cgroup' and 'cpuacct' in controllers.split(',')):
            return path
    return '/'


class Ground:
    """A group for one job of user uid. Only root can make one: else there is no path, and what workloads say must do."""

    def __init__(self, uid: int) -> None:
        self.path: pathlib.Path | None = None  # where the job goes
        self.start: pathlib.Path | None = None  # where the tool that starts it goes first, if it must be near
        for kind, root, at in _mounts():
            base = at / os.path.relpath(_own(kind), root)
            top = base / f'jobmeter-bench-{os.getpid()}-{next(_number)}'
            try:
                top.mkdir()
            except OSError:
                continue
            self.path = top
            os.chown(top / 'cgroup.procs', uid, -1)
            if kind == 'cgroup2' and uid:  # an ordinary user moves only between groups under one that is his
                self.path, self.start = top / 'job', top / 'tool'
                for child in (self.path, self.start):
                    child.mkdir()
                    os.chown(child / 'cgroup.procs', uid, -1)
            return

    def used_ns(self) -> int:
        assert self.path
        if (self.path / 'cpuacct.usage').exists():
            return int((self.path / 'cpuacct.usage').read_text())
        return int((self.path / 'cpu.stat').read_text().split()[1]) * 1000

    def empty(self, seconds: float = 30) -> None:
        """Waits until nothing of the job is left."""
        assert self.path
        deadline = time.monotonic() + seconds
        while (self.path / 'cgroup.procs').read_text():
            if time.monotonic() > deadline:
                raise RuntimeError(f'{self.path}: the job lives on')
            time.sleep(0.01)

    def close(self) -> None:
        if not self.path:
            return
        top = self.path.parent if self.start else self.path
        for folder in (self.path, self.start, top):
            for _ in range(100):  # the dead leave it a moment after they were waited for
                if not folder or not folder.exists():
                    break
                try:
                    folder.rmdir()
                except OSError:
                    time.sleep(0.01)
