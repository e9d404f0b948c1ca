"""Signals and the terminal: the job gets each signal once, and the keyboard means what it meant without jobmeter."""
from __future__ import annotations

import json
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from typing import Any

import pytest
from manners import Desk

FORWARDED = ['HUP', 'INT', 'QUIT', 'USR1', 'USR2', 'ALRM', 'TERM', 'CONT', 'WINCH', 'RTMIN']


def until(what: Callable[[], Any], seconds: float = 20) -> Any:
    """Waits for something that has no descriptor."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, 'it did not happen'
        time.sleep(0.002)
    return found


def pending(pid: int, number: int) -> bool:
    text = pathlib.Path(f'/proc/{pid}/status').read_text()
    masks = [int(m, 16) for m in re.findall(r'^(?:SigPnd|ShdPnd):\s*(\w+)', text, re.M)]
    return any(mask >> (number - 1) & 1 for mask in masks)


def name(pid: int) -> str:
    try:
        return pathlib.Path(f'/proc/{pid}/comm').read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return 'gone'


def all_children(pid: int) -> list[int]:
    return [int(p) for p in pathlib.Path(f'/proc/{pid}/task/{pid}/children').read_text().split()]


def children(pid: int) -> list[int]:
    """Of the job: the witness is jobmeter's own."""
    return [p for p in all_children(pid) if name(p) != 'jm-witness']


def witness(pid: int) -> int:
    found, = [p for p in all_children(pid) if name(p) == 'jm-witness']
    return found


def state(pid: int) -> str:
    try:
        return pathlib.Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return 'gone'


def switches(pid: int) -> int:
    """How often it gave the processor away: more than before, and it has run."""
    text = pathlib.Path(f'/proc/{pid}/status').read_text()
    return sum(int(n) for n in re.findall(r'voluntary_ctxt_switches:\s*(\d+)', text))


class Terminal:
    """A command on a terminal of its own, as the leader of a session."""

    def __init__(self, desk: Desk, argv: list[str]) -> None:
        self.seen = b''
        environment = desk.environment({'PS1': 'PROMPT> ', 'HISTFILE': '/dev/null'})
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(desk.work)
            argv = desk.command(argv)
            os.execvpe(argv[0], argv, environment)

    def type(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def read(self, what: str, seconds: float = 20) -> str:
        """Reads up to something that is printed; what was read."""
        deadline = time.monotonic() + seconds
        while (found := re.search(what.encode(), self.seen)) is None:
            ready, _, _ = select.select([self.fd], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f'{what!r} did not appear in {self.seen!r}'
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                more = b''
            assert more, f'the end came before {what!r}: {self.seen!r}'
            self.seen += more
        text, self.seen = self.seen[:found.end()], self.seen[found.end():]
        return text.decode(errors='replace')

    def wait(self) -> int:
        until(lambda: os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.fd)
        return status


def got(truth: str) -> list[int]:
    found = re.search(r'\{"program":"signals".*\}', truth)
    assert found, truth
    return [g['signal'] for g in json.loads(found.group())['got']]


def noting(desk: Desk, count: int, *more: str) -> list[str]:
    return [desk.jobmeter, 'run', '-q', '--no-record', '--', desk.workload('signals'), '--wait', '20000', '--count', str(count), *more]


def test_signals_for_jobmeter_are_for_the_job(desk: Desk) -> None:
    # each is different, so a doubled one would stand in the place of another
    numbers = [int(getattr(signal, f'SIG{name}')) for name in FORWARDED]
    job = desk.popen(noting(desk, len(numbers), '--exit', '4'), stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    for number in numbers:
        os.kill(job.pid, number)
    truth = job.stderr.read().decode()
    assert job.wait(20) == 4
    assert sorted(got(truth)) == sorted(numbers)


def test_signals_for_the_whole_group_reach_the_job_once(desk: Desk) -> None:
    numbers = [int(getattr(signal, f'SIG{name}')) for name in FORWARDED]
    job = desk.popen(noting(desk, len(numbers), '--exit', '4'), stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    for number in numbers:
        os.killpg(job.pid, number)  # what is passed on as well would stand in the place of a later one
    truth = job.stderr.read().decode()
    assert job.wait(20) == 4
    assert sorted(got(truth)) == sorted(numbers)


def test_signals_of_the_jobs_own_kill_0_reach_it_once(desk: Desk) -> None:
    script = (f'mkfifo pipe; exec 4<>pipe; {desk.workload("signals")} --wait 20000 --count 2 3>&4 & read ready <&4; '
              'trap : USR1; sh -c "kill -USR1 0"; kill -USR2 $!; wait $!; wait $!; s=$?; read truth <&4; echo "$truth" >&2; exit $s')
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--', 'sh', '-c', script], stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr
    truth = job.stderr.read().decode()
    assert job.wait(20) == 0
    assert sorted(got(truth)) == [signal.SIGUSR1, signal.SIGUSR2]


@pytest.mark.parametrize('told', ['child, then group', 'each by itself'])
def test_supervisors_that_tell_twice_are_heard_once(desk: Desk, told: str) -> None:
    job = desk.popen(noting(desk, 2), stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    # stopped meanwhile: whatever the machine does, all has been sent when it looks
    os.kill(job.pid, signal.SIGSTOP)
    until(lambda: state(job.pid) == 'T')
    os.kill(job.pid, signal.SIGTERM)
    if told == 'child, then group':  # timeout(1)
        os.killpg(job.pid, signal.SIGTERM)
    else:  # a control group is told process by process
        for pid in (witness(job.pid), *children(job.pid)):
            os.kill(pid, signal.SIGTERM)
    os.kill(job.pid, signal.SIGCONT)  # comes after a second SIGTERM: the lower number goes first
    truth = job.stderr.read().decode()
    assert job.wait(20) == 0
    assert got(truth) == [signal.SIGTERM, signal.SIGCONT]


def test_a_job_in_a_group_of_its_own_gets_what_ours_gets(desk: Desk) -> None:
    argv = [desk.jobmeter, 'run', '-q', '--no-record', '--', 'setsid', desk.workload('signals'), '--wait', '20000', '--count', '2']
    job = desk.popen(argv, stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    os.killpg(job.pid, signal.SIGTERM)
    os.killpg(job.pid, signal.SIGUSR1)
    truth = job.stderr.read().decode()
    assert job.wait(20) == 0
    assert sorted(got(truth)) == sorted([signal.SIGTERM, signal.SIGUSR1])


@pytest.mark.parametrize('how', [signal.SIGKILL, signal.SIGSTOP])
def test_without_the_witness_signals_are_passed_on(desk: Desk, how: int) -> None:
    job = desk.popen(noting(desk, 2), stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    pid = witness(job.pid)
    os.kill(pid, how)
    until(lambda: state(pid) == ('T' if how == signal.SIGSTOP else 'gone'))
    os.kill(job.pid, signal.SIGTERM)
    os.kill(job.pid, signal.SIGUSR1)
    truth = job.stderr.read().decode()
    assert job.wait(20) == 0
    assert sorted(got(truth)) == sorted([signal.SIGTERM, signal.SIGUSR1])
    assert state(pid) == 'gone'


def test_the_witness_goes_with_jobmeter_and_is_none_of_the_job(desk: Desk) -> None:
    for tier, seconds in ('C', 0.1), ('D', 1.5):  # children files are asked every 0.1 s, more seldom where asking is dear
        ran = desk.sh(f'sleep {seconds}', ['--tier', tier])
        assert ran.json and ran.json['processes']['started'] == 2 and ran.json['run']['survivors'] == []
        assert {g['name'] for g in ran.json['groups']} <= {'sh', 'sleep'}
    job = desk.popen(noting(desk, 1), stderr=subprocess.PIPE, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    pid = witness(job.pid)
    assert pathlib.Path(f'/proc/{pid}/cmdline').read_bytes().strip(b'\0') == b''
    assert len(os.listdir(f'/proc/{pid}/fd')) == 1
    os.kill(job.pid, signal.SIGKILL)
    job.wait(20)
    until(lambda: state(pid) == 'gone')
    os.killpg(job.pid, signal.SIGKILL)


def test_what_a_job_does_not_survive_ends_jobmeter_alike(desk: Desk) -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
        job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--', 'sh', '-c', 'echo ready; exec sleep 60'],
                         stdout=subprocess.PIPE, start_new_session=True)
        assert job.stdout and job.stdout.readline() == b'ready\n'
        os.kill(job.pid, number)
        assert job.wait(20) == -number


def test_ctrl_c_reaches_the_job_once(desk: Desk) -> None:
    t = Terminal(desk, noting(desk, 2, '--exit', '6'))
    t.read('"ready":')
    t.type('\x03')
    t.read(r'\^C')  # the terminal echoes it once it has sent it
    until(lambda: not pending(t.pid, signal.SIGINT))
    os.kill(t.pid, signal.SIGUSR1)  # a second Ctrl-C would come before it
    text = t.read(r'"program":"signals".*\}')
    assert got('{' + text[text.index('"program'):]) == [signal.SIGINT, signal.SIGUSR1]
    assert t.wait() == 6


def test_ctrl_c_ends_a_usual_job_and_jobmeter_tells_about_it(desk: Desk) -> None:
    t = Terminal(desk, [desk.jobmeter, 'run', '--no-record', '--', 'sh', '-c', 'echo begun; exec sleep 60'])
    t.read('begun')
    t.type('\x03')
    t.read('SIGINT')
    t.read('procs')
    assert t.wait() == -signal.SIGINT


def test_while_the_rest_is_waited_for_signals_are_for_the_rest(desk: Desk) -> None:
    script = f'{desk.workload("signals")} --wait 20000 --count 2 & kill -KILL $$'
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--wait', 'all', '--', 'sh', '-c', script], stderr=subprocess.PIPE,
                     start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    until(lambda: [state(c) for c in children(job.pid)] == ['S'])  # the first process is reaped, the other adopted
    os.kill(job.pid, signal.SIGTERM)
    os.kill(job.pid, signal.SIGUSR1)
    truth = job.stderr.read().decode()
    assert job.wait(20) == -signal.SIGKILL
    assert sorted(got(truth)) == sorted([signal.SIGTERM, signal.SIGUSR1])


def test_the_third_ctrl_c_in_a_row_kills(desk: Desk) -> None:
    t = Terminal(desk, noting(desk, 99))
    t.read('"ready":')
    pressed = 0
    # on a busy machine two may come so far apart that they are not in a row: then the next ones are
    while not os.waitid(os.P_PID, t.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        t.type('\x03')
        pressed += 1
        t.read(r'\^C')  # the terminal has echoed it, so it has been sent; taken, when nothing is pending
        until(lambda: state(t.pid) == 'Z' or (not pending(t.pid, signal.SIGINT) and state(t.pid) == 'S'))
    assert pressed >= 3
    assert t.wait() == -signal.SIGKILL


def test_nohup_stays(desk: Desk) -> None:
    argv = ['nohup', *noting(desk, 1)]
    job = desk.popen(argv, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True)
    assert job.stderr and b'ready' in job.stderr.readline()
    os.kill(job.pid, signal.SIGHUP)
    os.kill(job.pid, signal.SIGUSR1)
    truth = job.stderr.read().decode()
    assert job.wait(20) == 0
    assert got(truth) == [signal.SIGUSR1]
    assert '"ignored":1,' in truth


def test_stop_and_go_on_in_a_shell(desk: Desk) -> None:
    t = Terminal(desk, ['bash', '--norc', '--noprofile', '-i'])
    t.read('PROMPT> ')
    # its answers differ from what is typed: a shell may hand the terminal over with or without its echo
    t.type(f"{desk.jobmeter} run -q --no-record -- sh -c 'echo be\"\"gun; while read w && [ $w != end ]; do echo got-$w; done'\n")
    t.read('begun')
    t.type('one\n')
    t.read('got-one')
    t.type('\x1a')
    t.read(r'Stopped.*\n')
    t.read('PROMPT> ')
    jobmeter = children(t.pid)[0]
    job = children(jobmeter)[0]
    assert (state(jobmeter), state(job)) in [('T', 'T'), ('T', 't')]  # t: where it is traced (test_traced.py)
    t.type('fg\n')
    t.read('run.*done.*\r\n')
    t.type('two\n')
    t.read('got-two')
    t.type('\x1a')
    t.read(r'Stopped.*\n')
    t.read('PROMPT> ')
    # in the background it stops again when it reads from the terminal
    before = (switches(job), switches(jobmeter))
    t.type('bg\n')
    t.read(r'run.*done.*&\r\n')
    until(lambda: switches(job) > before[0] and switches(jobmeter) > before[1] and state(job) in 'Tt' and state(jobmeter) == 'T')
    t.type('fg\n')
    t.read('run.*done.*\r\n')
    t.type('three\n')
    t.read('got-three')
    t.type('end\n')
    t.read('PROMPT> ')
    t.type('echo status=$?\n')
    t.read('status=0')
    t.type('exit\n')
    assert t.wait() == 0


def test_in_the_background_it_may_write_to_the_terminal(desk: Desk) -> None:
    t = Terminal(desk, ['bash', '--norc', '--noprofile', '-i'])
    t.read('PROMPT> ')
    t.type(f'{desk.jobmeter} run --no-record -- echo from""job &\n')
    t.read('fromjob')
    t.read('procs')
    # where the terminal forbids it, the job stops, and jobmeter with it
    t.type('stty tostop\n')
    t.read('PROMPT> ')
    t.type(f'{desk.jobmeter} run -q --no-record -- sh -c "echo late""word; exit 3" &\n')
    t.read(r'\[\d\] \d+')
    t.read('PROMPT> ')
    jobmeter = until(lambda: [c for c in children(t.pid) if state(c) == 'T'])[0]
    assert [state(c) for c in children(jobmeter)] == ['T']
    t.type('fg\n')
    t.read('\nlateword')
    t.type('echo status=$?\n')
    t.read('status=3')
    t.type('exit\n')
    assert t.wait() == 0


def test_a_stopped_job_can_be_killed(desk: Desk) -> None:
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--timeout', '300ms', '--', 'sh', '-c', 'kill -STOP $$'],
                     start_new_session=True)
    assert job.wait(20) == 124


@pytest.mark.parametrize('number', [signal.SIGSTOP, signal.SIGTSTP])
def test_jobmeter_survives_being_stopped(desk: Desk, number: int) -> None:
    argv = [desk.jobmeter, 'run', '-q', '--no-record', '-i', '10ms', '--', 'sh', '-c', 'echo ready; read line; exit 8']
    job = desk.popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
    assert job.stdin and job.stdout and job.stdout.readline() == b'ready\n'
    os.kill(job.pid, number)
    if number == signal.SIGSTOP:
        until(lambda: state(job.pid) == 'T')
    os.kill(job.pid, signal.SIGCONT)
    job.stdin.write(b'go\n')
    job.stdin.close()
    assert job.wait(20) == 8
