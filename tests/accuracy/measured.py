"""Runs a workload of known cost under jobmeter, as root or as an ordinary user, and gives both sides of the comparison."""
from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import pwd
import shutil
import subprocess
import tempfile
from typing import Any

import stolen

TREE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get('JOBMETER_BUILD', TREE / 'build')).resolve()
JOBMETER = BUILD / 'cli/jobmeter'
WORKLOADS = BUILD / 'tests/workloads'
NOBODY = 65534


@dataclasses.dataclass
class Measured:
    summary: dict[str, Any]
    truth: dict[str, Any]
    truth_bytes: int  # length of the line that the workload itself wrote
    status: int
    stdout: str
    stderr: str
    stolen_ns: int  # CPU time that a hypervisor may have taken from this machine during the run


class Place:
    """A folder that the user of the run may write, with copies of the programs that this user may execute."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix='jobmeter-test-'))
        self.dir.chmod(0o755)
        shutil.copy(JOBMETER, self.dir / 'jobmeter')
        self.work = self.dir / 'work'
        self.work.mkdir()
        if user == 'nobody':
            os.chown(self.work, NOBODY, NOBODY)

    def close(self) -> None:
        shutil.rmtree(self.dir, ignore_errors=True)

    def command(self, argv: list[str]) -> list[str]:
        if self.user == 'nobody' and os.geteuid() == 0:
            return ['setpriv', f'--reuid={NOBODY}', f'--regid={NOBODY}', '--clear-groups', *argv]
        return argv

    def workload(self, name: str) -> str:
        to = self.dir / name
        if not to.exists():
            shutil.copy(WORKLOADS / name, to)
        return str(to)

    def run(self, workload: str, *args: str, options: tuple[str, ...] = ('-i', '100ms'), timeout: float = 120) -> Measured:
        truth, summary = self.work / 'truth.json', self.work / 'summary.json'
        for old in (truth, summary):
            old.unlink(missing_ok=True)
        argv = [str(self.dir / 'jobmeter'), 'run', '--no-record', '--json', str(summary), '-q', *options, '--',
                self.workload(workload), *args]
        # descriptor 3 is where a workload tells its truth; the job inherits it through jobmeter
        shell = ['sh', '-c', 'exec "$@" 3>"$TRUTH"', 'sh', *argv]
        before = stolen.ticks()
        done = subprocess.run(self.command(shell), cwd=self.work, env=dict(os.environ, TRUTH=str(truth), HOME=str(self.work)),
                              capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
        text = truth.read_text() if truth.exists() else ''
        if not summary.exists():
            raise AssertionError(f'no summary; status {done.returncode}: {done.stderr}')
        return Measured(json.loads(summary.read_text()), json.loads(text) if text.strip() else {}, len(text),
                        done.returncode, done.stdout, done.stderr, stolen.at_most_ns(before))


def may_become_nobody() -> bool:
    try:
        pwd.getpwuid(NOBODY)
    except KeyError:
        return False
    return os.geteuid() == 0
