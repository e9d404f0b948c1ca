"""The job's socket takes what the job sends, and trusts it for nothing."""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import pathlib
import random
import re
import signal
import socket
import stat
import subprocess
import sys
import termios
import time

import pytest
from manners import NO_LEAK_CHECK, Desk, Ran
from test_signals import until

SEND = ('import os,socket,sys\n'
        's=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM); s.connect(os.environ["JOBMETER_SOCKET"])\n')


def python(desk: Desk, code: str, options: list[str]) -> Ran:
    return desk.measure('/usr/bin/python3', '-c', SEND + code, options=options)


def socket_of(desk: Desk) -> pathlib.Path:
    found: list[pathlib.Path] = until(lambda: list((desk.work / 'runtime').glob('jobmeter-*/socket')))
    return found[0]


def waiting(desk: Desk, *options: str) -> subprocess.Popen[bytes]:
    """A job that runs until its standard input is closed."""
    summary = str(desk.work / 'summary.json')
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--json', summary, *options, '--', 'sh', '-c', 'echo ready; read line; exit 6'],
                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert job.stdout and job.stdout.readline() == b'ready\n'
    return job


def ended(desk: Desk, job: subprocess.Popen[bytes]) -> tuple[dict[str, list[dict[str, object]]], str]:
    _, err = job.communicate(timeout=30)
    assert job.returncode == 6
    return json.loads((desk.work / 'summary.json').read_text()), err.decode()


def test_marks_of_the_command_and_of_a_datagram(desk: Desk) -> None:
    ran = desk.sh(f'm="{desk.jobmeter} mark"; $m --begin "phase one" && $m point rows=5 && $m --end "phase one" rows=1e3 loss=-0.5')
    assert ran.status == 0 and ran.json, ran.err
    assert [p['name'] for p in ran.json['phases']] == ['phase one']
    assert ran.json['phases'][0]['values'] == {'rows': 1000, 'loss': -0.5}
    assert [m['name'] for m in ran.json['marks']] == ['point']
    job = waiting(desk)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.sendto(b'jm1.half way\0rows=5e5\0', str(socket_of(desk)))
    summary, _ = ended(desk, job)
    assert [(m['name'], m['values']) for m in summary['marks']] == [('half way', {'rows': 500000})]


def test_a_mark_has_the_time_at_which_it_was_sent(desk: Desk) -> None:
    """Whoever reads it late, as on a busy machine, knows it all the same."""
    job = waiting(desk)
    times = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.connect(str(socket_of(desk)))
        os.kill(job.pid, signal.SIGSTOP)
        until(lambda: pathlib.Path(f'/proc/{job.pid}/stat').read_text().rpartition(')')[2].split()[0] == 'T')
        for name in ('one', 'two'):
            before = time.monotonic_ns()
            s.send(f'jm1.{name}\0'.encode())
            times.append((before, time.monotonic_ns()))
            time.sleep(0.3)  # the job's own pace, nothing that we wait for
        os.kill(job.pid, signal.SIGCONT)
    summary, _ = ended(desk, job)
    one, two = (int(str(m['at_ns'])) for m in summary['marks'])
    clocks = 5_000_000  # by the wall clock, which may be slewed, and two clocks are read one after the other
    assert times[1][0] - times[0][1] - clocks <= two - one <= times[1][1] - times[0][0] + clocks


def unread(s: socket.socket) -> int:
    """Bytes that were sent and that nobody has taken yet."""
    return int.from_bytes(fcntl.ioctl(s, termios.TIOCOUTQ, bytes(4)), sys.byteorder)


def opened(pid: int) -> list[pathlib.Path]:
    found = []
    for fd in pathlib.Path(f'/proc/{pid}/fd').iterdir():
        with contextlib.suppress(FileNotFoundError):  # files of processes are opened and closed all the time
            found.append(fd.readlink())
    return found


def test_descriptors_that_come_along_stay_outside(desk: Desk) -> None:
    job = waiting(desk)
    sent = desk.work / 'sent'
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s, sent.open('w') as file:
        s.connect(str(socket_of(desk)))
        for _ in range(20):
            socket.send_fds(s, [b'jm1.a\0'], [file.fileno()] * 8)
        until(lambda: unread(s) == 0)
        assert sent not in opened(job.pid)
    summary, _ = ended(desk, job)
    assert len(summary['marks']) == 20


def test_hostile_datagrams(desk: Desk) -> None:
    chance = random.Random(5)
    bad = [b'', b'x', b'jm1', b'jm1.', b'jm1.\0', b'jm2.a\0', b'jm1?a\0', b'jm1.a\0b\0', b'jm1.a\0=1\0', b'jm1.a\0b=x\0', b'jm1.' + b'a' * 257 + b'\0',
           b'jm1.a\0b=1e999\0', b'jm1.a\0b=nan\0', b'jm1.a\0' + b''.join(b'k%d=1\0' % i for i in range(17)), b'jm1.' + b'a' * 5000, b'\0' * 4096]
    bad += [b'jm1' + chance.randbytes(chance.randrange(1, 200)) for _ in range(100)]
    job = waiting(desk, '-o', 'x.jm')
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        for datagram in bad:
            s.sendto(datagram, str(socket_of(desk)))
        s.sendto(b'jm1.good\0', str(socket_of(desk)))
    summary, err = ended(desk, job)
    assert 'good' in [m['name'] for m in summary['marks']]
    assert 'marks were left out' in err and err.count('\n') == 1
    assert desk.call(['report', 'x.jm', '--format', 'json']).status == 0


def test_a_flood_of_marks(my_desk: Desk) -> None:
    job = waiting(my_desk, '-o', 'x.jm')
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.connect(str(socket_of(my_desk)))
        for i in range(20000):
            s.send(b'jm1.%d\0' % i)
    summary, err = ended(my_desk, job)
    assert len(summary['marks']) <= 10000
    assert '10000 marks were left out' in err, err
    assert summary['marks'][0]['name'] == '0' and summary['marks'][-1]['name'] == str(len(summary['marks']) - 1)
    assert my_desk.call(['report', 'x.jm']).status == 0


@pytest.mark.root
def test_nobody_else_reaches_the_socket(my_desk: Desk) -> None:
    job = waiting(my_desk)
    path = socket_of(my_desk)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700 and stat.S_IMODE(path.stat().st_mode) == 0o600
    other = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    environment = my_desk.environment({'JOBMETER_SOCKET': str(path)})
    done = subprocess.run([*other, my_desk.jobmeter, 'mark', 'intruder'], env=environment, cwd='/', capture_output=True, text=True, timeout=20)
    assert done.returncode == 1 and 'Permission denied' in done.stderr
    summary, err = ended(my_desk, job)
    assert (summary['marks'], err) == ([], '')


def test_a_socket_that_is_taken_away(desk: Desk) -> None:
    job = waiting(desk)
    path = socket_of(desk)
    path.unlink()
    path.parent.rmdir()
    _, err = ended(desk, job)
    assert err == ''


def test_what_killed_runs_left_is_swept_away_by_the_next(desk: Desk) -> None:
    runtime = desk.work / 'runtime'
    alive = waiting(desk)
    kept = socket_of(desk)
    for _ in range(2):
        killed = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--', 'sh', '-c', 'kill -KILL $PPID'], stderr=subprocess.DEVNULL)
        assert killed.wait(20) == -signal.SIGKILL
    assert len(list(runtime.glob('jobmeter-*/socket'))) == 2  # the second has swept, when it began, what the first had left
    assert desk.call(['run', '-q', '--no-record', '--', 'sh', '-c', 'exit 3']).status == 3
    assert list(runtime.iterdir()) == [kept.parent]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
        s.sendto(b'jm1.still here\0', str(kept))
    summary, _ = ended(desk, alive)
    assert [m['name'] for m in summary['marks']] == ['still here']
    assert list(runtime.iterdir()) == []


def test_what_only_looks_like_a_leftover_stays(desk: Desk) -> None:
    runtime = pathlib.Path(desk.environment()['XDG_RUNTIME_DIR'])
    script = """
import os, socket
def folder(name, mode=0o700, file='socket'):
    os.mkdir(name)
    os.chmod(name, mode)
    if file == 'socket':
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).bind(name + '/socket')
    else:
        open(name + '/' + file, 'x').close()
boot = open('/proc/sys/kernel/random/boot_id').read()[:8]
folder('elsewhere')
os.symlink('elsewhere', f'jobmeter-{boot}-link00')
folder(f'jobmeter-{boot}-open00', 0o755)
folder(f'jobmeter-{boot}-other0', file='precious')
folder(f'jobmeter-{boot}-longer0')
folder('jobmeter-00000000-host00')
os.mkdir(f'jobmeter-{boot}-empty0', 0o700)
os.mkdir(f'jobmeter-{boot}-dir000', 0o700)
os.mkdir(f'jobmeter-{boot}-dir000/socket')
open(f'jobmeter-{boot}-plain0', 'x').close()
"""
    made = desk.popen(['/usr/bin/python3', '-c', f'import os; os.chdir({str(runtime)!r})\n' + script])
    assert made.wait(20) == 0
    before = sorted(p.relative_to(runtime) for p in runtime.rglob('*'))
    if desk.user == 'self' and os.geteuid() == 0:
        # another user's: what a run of root is not to touch
        theirs = runtime / f'jobmeter-{pathlib.Path("/proc/sys/kernel/random/boot_id").read_text()[:8]}-theirs'
        theirs.mkdir(mode=0o700)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s:
            s.bind(str(theirs / 'socket'))
        os.chown(theirs, 65534, 65534)
        before = sorted(p.relative_to(runtime) for p in runtime.rglob('*'))
    assert desk.sh('exit 3').status == 3
    assert sorted(p.relative_to(runtime) for p in runtime.rglob('*')) == before


def test_runs_at_once_do_not_sweep_each_other_away(desk: Desk) -> None:
    argv = [desk.jobmeter, 'run', '-q', '--no-record', '--', desk.jobmeter, 'mark', 'mine']
    for _ in range(3):
        jobs = [desk.popen(argv, stderr=subprocess.PIPE) for _ in range(10)]
        for job in jobs:
            _, err = job.communicate(timeout=60)
            assert (job.returncode, err) == (0, b'')
    assert list((desk.work / 'runtime').iterdir()) == []


def test_inner_runs_do_not_bury_the_phases_of_the_user(desk: Desk) -> None:
    code = ('for i in range(300): s.send(b"jm1<cc (pid %d)\\0" % i)\n'
            'for i in range(300): s.send(b"jm1>cc (pid %d)\\0" % i)\n'
            's.send(b"jm1(mine\\0"); s.send(b"jm1)mine\\0")')
    ran = python(desk, code, ['-o', 'x.jm'])
    assert ran.status == 0 and ran.json
    assert [p['name'] for p in ran.json['phases']] == [*(f'cc (pid {i})' for i in range(100)), 'mine']
    assert b'only the first 100 runs' in desk.call(['report', 'x.jm', '--format', 'html']).out
    assert 'marks were left out' not in ran.err


def test_an_inner_run_waits_for_nobody(my_desk: Desk) -> None:
    # nobody listens any more; nobody ever did; somebody does not take anything
    runtime = pathlib.Path(my_desk.environment()['XDG_RUNTIME_DIR'])
    full = runtime / 'full'
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as s, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
        s.bind(str(full))
        sender.setblocking(False)
        with pytest.raises(BlockingIOError):
            while True:
                sender.sendto(b'jm1.x\0', str(full))
        for path in (runtime / 'none', full, runtime / ('x' * 200), runtime):
            ran = my_desk.call(['run', '-q', '--no-record', '--', 'sh', '-c', 'exit 3'], env={'JOBMETER_SOCKET': str(path)})
            assert (ran.status, ran.err) == (3, ''), path


def test_no_place_for_a_socket(desk: Desk) -> None:
    # the runtime folder is too long a name or not there: another one is taken
    for folder in ('/dev/null/folder', '/tmp/' + 'x' * 150, 'relative', ''):
        ran = desk.sh(f'{desk.jobmeter} mark here', env={'XDG_RUNTIME_DIR': folder})
        assert ran.status == 0 and ran.json and [m['name'] for m in ran.json['marks']] == ['here'], ran
    assert not [p for p in pathlib.Path('/tmp').glob('jobmeter-????????-??????') if p.stat().st_uid == (65534 if desk.user == 'nobody' else os.geteuid())
                and not list(p.iterdir())]


def test_jobmeter_inside_jobmeter(desk: Desk) -> None:
    j = desk.jobmeter
    ran = desk.sh(f'{j} mark outer; {j} run --no-record --json inner.json -- sh -c "{j} mark inner; sleep 0.1 & wait; exit 7"; s=$?; '
                  f'{j} mark outer2; exit $s', env=NO_LEAK_CHECK)
    assert ran.status == 7 and ran.json
    inner = json.loads((desk.work / 'inner.json').read_text())
    assert [m['name'] for m in inner['marks']] == ['inner']
    assert [m['name'] for m in ran.json['marks']] == ['outer', 'outer2']
    phase, = ran.json['phases']
    assert re.fullmatch(r'sh \(pid \d+\)', phase['name']) and inner['phases'] == []
    # it is told of when the job has begun, and when it has ended
    assert 0 < phase['end_ns'] - phase['begin_ns'] <= ran.json['run']['wall_ns']
    assert phase['end_ns'] - phase['begin_ns'] >= 0.1e9
    assert inner['run']['id'] != ran.json['run']['id']
    assert inner['processes']['started'] == 3
    assert ran.json['processes']['started'] >= 3 + 1 + 1 + 2  # its own shell, the other jobmeter, its own two marks
    assert inner['exit'] == {'status': 7, 'signal': None} == ran.json['exit']
    assert ran.err.count('exit 7') == 2
    assert desk.left_behind() == []
    # the inner one measures what the outer one is asked to do as well
    ran = desk.measure(j, 'run', '-q', '--no-record', '--', 'sh', '-c', 'kill -TERM $$')
    assert ran.status == -15 and ran.json and ran.json['exit']['signal'] == 15
