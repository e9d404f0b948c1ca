"""Runs a command under jobmeter in a folder of its own, as the tests' user or as one without any right."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import subprocess
from collections.abc import Sequence
from typing import Any

from measured import Place

ENVIRONMENT = {'PATH': '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin', 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb', 'COLUMNS': '80'}


# the leak checker of a sanitized build starts a process of its own and wants /proc
NO_LEAK_CHECK = {'ASAN_OPTIONS': 'detect_leaks=0'}


@dataclasses.dataclass
class Ran:
    status: int  # as subprocess says it: -N when it died of signal N
    out: bytes
    err: str
    json: dict[str, Any] | None


class Desk(Place):
    """A folder with jobmeter in it, and a home below it."""

    @property
    def jobmeter(self) -> str:
        return str(self.dir / 'jobmeter')

    def environment(self, more: dict[str, str] | None = None) -> dict[str, str]:
        sanitizers = {k: v for k, v in os.environ.items() if k.endswith('SAN_OPTIONS')}
        runtime = self.work / 'runtime'
        if not runtime.exists():
            runtime.mkdir(mode=0o700)
            if self.user == 'nobody':
                os.chown(runtime, 65534, 65534)
        return {**ENVIRONMENT, 'HOME': str(self.work), 'XDG_RUNTIME_DIR': str(runtime), **sanitizers, **(more or {})}

    def popen(self, argv: Sequence[str], before: Sequence[str] = (), env: dict[str, str] | None = None,
              **how: Any) -> subprocess.Popen[bytes]:
        """before: a command that starts the rest, as prlimit or unshare."""
        return subprocess.Popen([*before, *self.command(list(argv))] if before and before[0] == 'unshare'
                                else self.command([*before, *argv]), cwd=self.work, env=self.environment(env), **how)

    def call(self, argv: Sequence[str], input: bytes = b'', timeout: float = 60, **how: Any) -> Ran:
        """Runs jobmeter with these arguments."""
        done = self.popen([self.jobmeter, *argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **how)
        try:
            out, err = done.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            done.kill()
            raise
        return Ran(done.returncode, out, err.decode(), None)

    def measure(self, *job: str, options: Sequence[str] = (), **how: Any) -> Ran:
        """`jobmeter run` with its summary as JSON."""
        summary = self.work / 'summary.json'
        summary.unlink(missing_ok=True)
        ran = self.call(['run', '--no-record', '--json', str(summary), *options, '--', *job], **how)
        if summary.exists() and summary.stat().st_size:
            ran.json = json.loads(summary.read_bytes().decode('utf-8'))
        return ran

    def sh(self, script: str, options: Sequence[str] = (), **how: Any) -> Ran:
        return self.measure('sh', '-c', script, options=options, **how)

    def left_behind(self) -> list[str]:
        """Folders of sockets that are still there."""
        return sorted(p.name for p in (self.work / 'runtime').glob('*'))


def own_cgroups() -> set[pathlib.Path]:
    return {pathlib.Path(at) / d for at, dirs, _ in os.walk('/sys/fs/cgroup') for d in dirs if d.startswith('jobmeter-')}
