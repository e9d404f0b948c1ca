"""The tools that measure a job, each as its manual says, and what each of them says about it."""
from __future__ import annotations

import contextlib
import csv
import dataclasses
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from typing import Any

from accuracy_jobs import Job, Truth
from ground import Ground
from programs import BUILD, JOBMETER

HERE = pathlib.Path(__file__).resolve().parent
NOBODY = 65534
OTHER = 64321  # nobody else runs as this one, so that pidstat, which knows no jobs, can tell ours
INTERVAL = '0.1'


@dataclasses.dataclass
class Seen:
    """None: the tool does not tell."""
    cpu_ns: int | None = None
    names: Counter[str] | None = None
    largest_rss: int | None = None
    sum_rss: tuple[int, int] | None = None  # at least, at most
    read_chars: int | None = None
    write_chars: int | None = None
    read_bytes: int | None = None
    write_bytes: int | None = None
    # of jobmeter alone
    attributed_ns: int | None = None
    parts_ns: int | None = None  # sum over processes
    bounded: int = 0  # processes whose CPU time is marked as a lower bound
    lost: int = 0


class Place:
    """A folder that the user of the run may write, with copies of the programs that he may execute."""

    def __init__(self, uid: int) -> None:
        self.uid = uid
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix='jobmeter-bench-'))
        self.dir.chmod(0o755)
        self.work = self.dir / 'work'
        self.work.mkdir()
        self.work.chmod(0o777)
        # what the workload says is on no disk: the line would be counted as written
        self.said = pathlib.Path(tempfile.mkdtemp(prefix='jobmeter-bench-', dir='/dev/shm'))
        self.said.chmod(0o777)
        self.copy(JOBMETER)
        self.lend()
        self.copy(str(BUILD / 'tests/bench/enter'))

    def copy(self, path: str) -> str:
        to = self.dir / pathlib.Path(path).name
        if not to.exists():
            shutil.copy(path, to)
        return str(to)

    def lend(self) -> None:
        """jobmeter-bpf with its capabilities (docs/security.md), as `setcap cap_bpf,cap_perfmon=ep` gives them."""
        helper = pathlib.Path(JOBMETER).with_name('jobmeter-bpf')
        if helper.exists() and os.geteuid() == 0:
            with contextlib.suppress(OSError):  # not on this file system
                os.setxattr(self.copy(str(helper)), 'security.capability', struct.pack('<5I', 0x02000001, 0, 0, 1 << 6 | 1 << 7, 0))

    def close(self) -> None:
        shutil.rmtree(self.dir, ignore_errors=True)
        shutil.rmtree(self.said, ignore_errors=True)


class Tool:
    name = ''
    uid = 0  # whose job it is
    starts_as = 0  # who starts the tool

    def argv(self, place: Place, job: list[str]) -> list[str]:
        raise NotImplementedError

    def seen(self, place: Place) -> Seen:
        raise NotImplementedError

    def refused(self) -> str:
        """Why it cannot be used here, if so."""
        return ''


class Jobmeter(Tool):
    def __init__(self, tier: str, uid: int) -> None:
        self.tier, self.uid, self.starts_as = tier, uid, uid
        self.name = f'{tier}, {"root" if uid == 0 else "user"}'

    def argv(self, place: Place, job: list[str]) -> list[str]:
        return [str(place.dir / 'jobmeter'), 'run', '--tier', self.tier, '-q', '-i', f'{INTERVAL}s', '--wait', 'all', '-o', str(place.work / 'run.jm'),
                '--overwrite', '--json', str(place.work / 'summary.json'), '--', *job]

    def refused(self) -> str:
        place = Place(self.uid)
        try:
            done = subprocess.run(as_user(self.uid, self.argv(place, ['/bin/true'])), cwd=place.work, capture_output=True, text=True, timeout=60,
                                  env={'HOME': str(place.work), 'PATH': '/usr/bin:/bin'})
            if done.returncode:
                return done.stderr.strip() or f'status {done.returncode}'
            said = json.loads((place.work / 'summary.json').read_text())
            if said['run']['tier'] == self.tier:
                return ''
            reasons = [m['reason'] for m in said['quality']['missing'] if m['metric'] in ('bpf', 'taskstats', 'connector', 'perf')]
            return f'tier {said["run"]["tier"]} took its place: ' + ('; '.join(reasons) or 'no reason is given')
        finally:
            place.close()

    def seen(self, place: Place) -> Seen:
        said = json.loads((place.work / 'summary.json').read_text())
        told = Told(place)
        peak = said['memory']['peak_rss_bytes']
        return Seen(said['cpu']['total_ns'], told.names(), said['memory']['largest_process_rss_bytes'],
                    (peak['low'], peak['high']) if peak['low'] is not None else None,
                    said['io']['read_chars'], said['io']['write_chars'], said['io']['read_bytes'], said['io']['write_bytes'],
                    said['cpu']['attributed_ns'], told.parts(), told.bounded(), said['quality']['lost_events'])


class Told:
    """What a recording says of each process."""

    def __init__(self, place: Place) -> None:
        out = subprocess.run([JOBMETER, 'export', str(place.work / 'run.jm'), '--format', 'jsonl', '-o', '-'], capture_output=True, check=True).stdout
        self.name: dict[int, str] = {}
        self.cpu: dict[int, dict[str, Any]] = {}
        for line in out.splitlines():
            if not line.startswith((b'{"type":"start"', b'{"type":"exec"', b'{"type":"end"', b'{"type":"correction"')):
                continue
            row = json.loads(line)
            if row.get('kind') == 'process':
                self.name[row['subject']] = row['name']
            if row['subject'] in self.name and 'process.cpu.total' in row.get('figures', {}):
                self.cpu[row['subject']] = row['figures']['process.cpu.total']

    def names(self) -> Counter[str]:
        return Counter(self.name.values())

    def parts(self) -> int:
        return sum(c['value'] for c in self.cpu.values())

    def bounded(self) -> int:
        return sum(c['exactness'] != 'exact' for c in self.cpu.values())


class GnuTime(Tool):
    name = 'GNU time'

    def argv(self, place: Place, job: list[str]) -> list[str]:
        return ['/usr/bin/time', '-v', '-o', str(place.work / 'time.txt'), *job]

    def seen(self, place: Place) -> Seen:
        text = (place.work / 'time.txt').read_text()

        def figure(what: str) -> float:
            found = re.search(rf'{re.escape(what)}.*: ([\d.]+)', text)
            assert found, what
            return float(found[1])

        return Seen(cpu_ns=round((figure('User time') + figure('System time')) * 1e9), largest_rss=int(figure('Maximum resident')) * 1024,
                    read_bytes=int(figure('File system inputs')) * 512, write_bytes=int(figure('File system outputs')) * 512)

    def refused(self) -> str:
        return '' if shutil.which('/usr/bin/time') else 'it is not installed'


class PsutilLoop(Tool):
    name = 'psutil loop'

    def argv(self, place: Place, job: list[str]) -> list[str]:
        return [sys.executable, str(HERE / 'peer_psutil.py'), str(place.work / 'psutil.json'), INTERVAL, *job]

    def seen(self, place: Place) -> Seen:
        said = json.loads((place.work / 'psutil.json').read_text())

        def all_of(what: str) -> int:
            return sum(p[what] for p in said['processes'])

        return Seen(all_of('cpu_ns'), Counter(p['name'] for p in said['processes']), said['largest_rss'], (said['sum_rss'], said['sum_rss']),
                    all_of('read_chars'), all_of('write_chars'), all_of('read_bytes'), all_of('write_bytes'))


class ResourceTracker(Tool):
    name = 'resource-tracker'

    def argv(self, place: Place, job: list[str]) -> list[str]:
        return [sys.executable, str(HERE / 'peer_tracker.py'), str(place.work / 'tracker.csv'), INTERVAL, *job]

    def seen(self, place: Place) -> Seen:
        path = place.work / 'tracker.csv'
        if not path.exists():  # the job had ended before its first look
            return Seen(cpu_ns=0, sum_rss=(0, 0), read_bytes=0, write_bytes=0)
        with open(path, encoding='utf-8', newline='') as f:
            rows = list(csv.DictReader(f))
        peak = round(max((float(r['memory_mib']) for r in rows), default=0) * 2**20)
        return Seen(cpu_ns=round(sum(float(r['utime']) + float(r['stime']) for r in rows) * 1e9), sum_rss=(peak, peak),
                    read_bytes=round(sum(float(r['disk_read_bytes']) for r in rows)), write_bytes=round(sum(float(r['disk_write_bytes']) for r in rows)))


class Psrecord(Tool):
    name = 'psrecord'

    def argv(self, place: Place, job: list[str]) -> list[str]:
        return [str(pathlib.Path(sys.executable).parent / 'psrecord'), 'exec ' + shlex.join(job), '--log', str(place.work / 'psrecord.csv'),
                '--log-format', 'csv', '--interval', INTERVAL, '--include-children', '--include-io']

    def seen(self, place: Place) -> Seen:
        with open(place.work / 'psrecord.csv', encoding='utf-8', newline='') as f:
            rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(f)]
        cpu = sum(r['cpu'] / 100 * (r['elapsed_time'] - before['elapsed_time']) for before, r in zip(rows, rows[1:]))
        peak = round(max((r['mem_real'] for r in rows), default=0) * 2**20)
        return Seen(cpu_ns=round(cpu * 1e9), sum_rss=(peak, peak), read_bytes=round(max((r['read_bytes'] for r in rows), default=0)),
                    write_bytes=round(max((r['write_bytes'] for r in rows), default=0)))


class Pidstat(Tool):
    """It looks at all processes once a second; those of the user OTHER are the job's."""
    name = 'pidstat'
    uid = OTHER

    def argv(self, place: Place, job: list[str]) -> list[str]:
        return [sys.executable, str(HERE / 'peer_pidstat.py'), str(place.work / 'pidstat.txt'), *as_user(OTHER, job)]

    def seen(self, place: Place) -> Seen:
        processes: dict[str, str] = {}
        cpu = read = write = 0.0
        largest = most = now = 0
        for line in (place.work / 'pidstat.txt').read_text(errors='replace').splitlines():
            words = line.split()
            if line.startswith('#'):
                head, now = words[1:], 0
                continue
            if not words or not words[0].isdigit() or len(words) < len(head):
                continue
            row = dict(zip(head, words))
            if row['UID'] != str(OTHER):
                continue
            processes[row['PID']] = ' '.join(words[len(head) - 1:])
            cpu += float(row['%CPU']) / 100
            rss = int(row['RSS']) * 1024
            now += rss
            largest, most = max(largest, rss), max(most, now)
            read += max(0.0, float(row['kB_rd/s'])) * 1024
            write += max(0.0, float(row['kB_wr/s'])) * 1024
        return Seen(cpu_ns=round(cpu * 1e9), names=Counter(processes.values()), largest_rss=largest, sum_rss=(most, most),
                    read_bytes=round(read), write_bytes=round(write))

    def refused(self) -> str:
        return '' if shutil.which('pidstat') else 'it is not installed'


def as_user(uid: int, argv: list[str]) -> list[str]:
    return ['setpriv', f'--reuid={uid}', f'--regid={uid}', '--clear-groups', *argv] if uid else argv


def tools(tiers: str = 'ABCD') -> list[Tool]:
    ours = [Jobmeter(tier, uid) for uid in (0, NOBODY) for tier in tiers]
    return [*ours, GnuTime(), PsutilLoop(), ResourceTracker(), Psrecord(), Pidstat()]


def measure(tool: Tool, job: Job) -> tuple[Truth, Seen] | None:
    """None: this user cannot do that job."""
    if job.root and tool.uid:
        return None
    place, ground = Place(tool.uid), Ground(tool.uid)
    try:
        if not ground.path:
            raise RuntimeError('no control group can be made, so there is nothing to compare with')
        report, said = place.said / 'before', place.said / 'truth'
        enter = str(place.dir / 'enter')
        argv = [enter, str(ground.path), str(report), str(said), place.copy(str(BUILD / 'tests/workloads' / job.program)), *job.args]
        argv = as_user(tool.starts_as, tool.argv(place, argv))
        if ground.start:
            argv = [enter, str(ground.start), '-', '-', shutil.which(argv[0]) or argv[0], *argv[1:]]
        done = subprocess.run(argv, cwd=place.work, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='replace', timeout=300,
                              env={'HOME': str(place.work), 'PATH': '/usr/bin:/bin:/usr/sbin:/sbin', 'LC_ALL': 'C.UTF-8', 'S_TIME_FORMAT': 'ISO'})
        ground.empty()
        lines = [line for line in said.read_bytes().splitlines(keepends=True) if b'"program"' in line]
        if not lines:
            raise RuntimeError(f'{tool.name}, {job.name}: the workload said nothing; status {done.returncode}: {done.stderr}')
        told = json.loads(lines[-1])
        told['line_bytes'] = sum(len(line) for line in lines)
        truth = job.truth(told)
        truth.cpu_ns = int(report.read_text()) + ground.used_ns()
        return truth, tool.seen(place)
    finally:
        ground.close()
        place.close()
