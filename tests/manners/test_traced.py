"""--exact=ptrace: the job is stopped for moments, and does not notice. Signals, job control, exec by a thread, who may trace; and
what happens when jobmeter is killed."""
from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess

import pytest
from manners import Desk
from measured import may_become_nobody
from test_exit import (  # noqa: F401
    test_death_by_a_signal_is_died_after_it,
    test_every_exit_status,
    test_the_timeout_ends_the_whole_tree,
)
from test_leftovers import (  # noqa: F401
    test_no_zombie_while_the_job_runs,
    test_nothing_is_left,
    test_survivors_are_named_and_left_alone,
)
from test_signals import (  # noqa: F401
    Terminal,
    state,
    test_a_job_in_a_group_of_its_own_gets_what_ours_gets,
    test_a_stopped_job_can_be_killed,
    test_ctrl_c_ends_a_usual_job_and_jobmeter_tells_about_it,
    test_ctrl_c_reaches_the_job_once,
    test_jobmeter_survives_being_stopped,
    test_signals_for_jobmeter_are_for_the_job,
    test_signals_for_the_whole_group_reach_the_job_once,
    test_signals_of_the_jobs_own_kill_0_reach_it_once,
    test_stop_and_go_on_in_a_shell,
    test_the_third_ctrl_c_in_a_row_kills,
    test_while_the_rest_is_waited_for_signals_are_for_the_rest,
    until,
)

PYTHON = '/usr/bin/python3'
TRACED = ['--exact=ptrace']
# LeakSanitizer wants to trace the program that it checks
NO_LEAK_CHECK = ['env', f'ASAN_OPTIONS={os.environ.get("ASAN_OPTIONS", "")}:detect_leaks=0']


class Traced(Desk):
    """Whoever starts jobmeter here, its job is traced."""

    def environment(self, more: dict[str, str] | None = None) -> dict[str, str]:
        return {**super().environment(more), 'JOBMETER_EXACT': 'ptrace'}


@pytest.fixture(params=['self', 'nobody'])
def desk(request: pytest.FixtureRequest):
    if request.param == 'nobody' and not may_become_nobody():
        pytest.skip('already an ordinary user')
    d = Traced(request.param)
    yield d
    d.close()


@pytest.fixture
def my_desk():
    d = Traced('self')
    yield d
    d.close()


def tracer(pid: int) -> int:
    found = re.search(r'^TracerPid:\s*(\d+)', pathlib.Path(f'/proc/{pid}/status').read_text(), re.M)
    assert found
    return int(found.group(1))


def why_not(summary: dict) -> list[str]:
    return [m['reason'] for m in summary['quality']['missing'] if m['metric'] == 'ptrace']


def test_the_summary_says_it(desk: Desk) -> None:
    ran = desk.sh('grep TracerPid /proc/self/status')
    assert ran.status == 0 and ran.json
    assert ran.out.split()[1] != b'0'
    assert (ran.json['run']['tier'], why_not(ran.json)) == ('D', [])
    assert ran.json['quality']['sources']['io.read_chars'] == 'ptrace (exact)'


EXEC_BY_THREAD = '''
import os, sys, threading
if sys.argv[1] == 'again':
    print(os.getpid(), len(os.listdir('/proc/self/task')))
    sys.exit(7)
forever = threading.Event()
for _ in range(3):
    threading.Thread(target=forever.wait, daemon=True).start()
print(os.getpid(), flush=True)
threading.Thread(target=lambda: os.execv(sys.executable, [sys.executable, '-c', sys.argv[2], 'again'])).start()
forever.wait()
'''


def test_exec_by_a_thread_that_is_not_the_main_one(desk: Desk) -> None:
    ran = desk.measure('sh', '-c', f'{PYTHON} -c "$1" first "$1"; echo $?', 'sh', EXEC_BY_THREAD)
    first, second, status = ran.out.decode().splitlines()
    assert (second, status) == (f'{first} 1', '7')
    assert ran.json and ran.json['processes']['started'] == 2
    assert ran.json['quality']['lost_events'] == 0
    # as the job's first process too
    ran = desk.measure(PYTHON, '-c', EXEC_BY_THREAD, 'first', EXEC_BY_THREAD)
    assert ran.status == 7
    assert ran.json and ran.json['processes']['started'] == 1


MANY_SIGNALS = '''
import os, signal
got = {number: 0 for number in (signal.SIGUSR1, signal.SIGTRAP, signal.SIGCHLD)}
def count(number, frame):
    got[number] += 1
for number in got:
    signal.signal(number, count)
for _ in range(500):
    os.kill(os.getpid(), signal.SIGUSR1)   # taken one by one
    os.kill(os.getpid(), signal.SIGTRAP)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
for _ in range(200):
    os.kill(os.getpid(), signal.SIGRTMIN)  # queued, each of them
queued = 0
while signal.sigtimedwait([signal.SIGRTMIN], 0):
    queued += 1
for _ in range(20):
    if os.fork() == 0:
        os._exit(0)
    os.wait()
print(*got.values(), queued)
'''


def test_a_job_that_lives_by_signals(desk: Desk) -> None:
    ran = desk.measure(PYTHON, '-c', MANY_SIGNALS)
    usr1, trap, child, realtime = (int(n) for n in ran.out.split())
    assert (usr1, trap, realtime) == (500, 500, 200)
    assert 1 <= child <= 20


STOPS = '''
import os, signal
child = os.fork()
if child == 0:
    while True:
        signal.pause()
os.setpgid(child, child)  # in an orphaned group, such as a CI's, SIGTSTP stops nobody (setpgid(2))
for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGSTOP):
    os.kill(child, number)
    pid, status = os.waitpid(child, os.WUNTRACED)
    print(pid == child, os.WIFSTOPPED(status), os.WSTOPSIG(status) == number)
    os.kill(child, signal.SIGCONT)
    pid, status = os.waitpid(child, os.WCONTINUED)
    print(pid == child, os.WIFCONTINUED(status))
os.kill(child, signal.SIGSTOP)
os.waitpid(child, os.WUNTRACED)
os.kill(child, signal.SIGKILL)
pid, status = os.waitpid(child, 0)
print(pid == child, os.WTERMSIG(status) == signal.SIGKILL)
'''


def test_parents_in_the_job_see_their_children_stop_and_go_on(desk: Desk) -> None:
    ran = desk.measure(PYTHON, '-c', STOPS)
    assert ran.status == 0, ran.err
    assert set(ran.out.decode().split()) == {'True'} and len(ran.out.split()) == 3 * 5 + 2


def test_a_shell_with_job_control_in_the_job(desk: Desk) -> None:
    t = Terminal(desk, [desk.jobmeter, 'run', '-q', '--no-record', '--', 'bash', '--norc', '--noprofile', '-i'])
    t.read('PROMPT> ')
    t.type("sh -c 'echo be\"\"gun; while read w && [ $w != end ]; do echo got-$w; done; exit 5'\n")
    t.read('begun')
    for word in ('one', 'two'):
        t.type(f'{word}\n')
        t.read(f'got-{word}')
        t.type('\x1a')
        t.read(r'Stopped.*\n')
        t.read('PROMPT> ')
        t.type('fg\n')
        t.read('sh.*done.*\r\n')
    t.type('end\n')
    t.read('PROMPT> ')
    t.type('echo status=$?\n')
    t.read('status=5')
    t.type('exit 3\n')
    assert t.wait() == 3


def test_killed_jobmeter_leaves_the_job_running_and_untraced(desk: Desk) -> None:
    script = 'sleep 1000 & echo $$ $!; read line; kill $!; echo end; exit 6'
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--', 'sh', '-c', script], stdin=subprocess.PIPE,
                     stdout=subprocess.PIPE, start_new_session=True)
    assert job.stdin and job.stdout
    pids = [int(p) for p in job.stdout.readline().split()]
    assert {tracer(p) for p in pids} <= {int(t) for t in os.listdir(f'/proc/{job.pid}/task')}
    job.kill()
    job.wait()
    until(lambda: {tracer(p) for p in pids} == {0})
    job.stdin.write(b'\n')
    job.stdin.close()
    assert job.stdout.read() == b'end\n'


def test_survivors_are_let_go(desk: Desk) -> None:
    # in the middle of everything: one that starts processes all the time, one that is stopped
    script = ('(while [ ! -e stop ]; do /bin/true; done; touch stopped) </dev/null >/dev/null 2>&1 & '
              '(kill -STOP $BASHPID; touch continued) </dev/null >/dev/null 2>&1 & echo $!')
    ran = desk.measure('bash', '-c', script)
    stopped = int(ran.out)
    assert ran.status == 0
    until(lambda: state(stopped) == 'T' and tracer(stopped) == 0)
    os.kill(stopped, signal.SIGCONT)
    (desk.work / 'stop').touch()
    until(lambda: (desk.work / 'stopped').exists() and (desk.work / 'continued').exists())


def test_a_job_that_is_traced_already_is_measured_without(desk: Desk) -> None:
    strace = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', 'trace=none', '-e', 'signal=none']
    if subprocess.run([*strace, 'true'], capture_output=True).returncode != 0:
        pytest.skip('strace does not work here')
    summary = desk.work / 'summary.json'
    ran = desk.call(['run', '--no-record', '--json', str(summary), '--', 'sh', '-c', 'true; exit 4'],
                    before=[*NO_LEAK_CHECK, *strace])
    assert ran.status == 4, ran.err
    seen = json.loads(summary.read_text())
    assert 'traced by process' in why_not(seen)[0]
    assert seen['processes']['started'] >= 1


REFUSE_PTRACE = '''
import ctypes, os, platform, struct, sys
number = {'x86_64': 101, 'aarch64': 117}[platform.machine()]
code = b''.join(struct.pack('HBBI', *i) for i in [
    (0x20, 0, 0, 0),                # load the number of the system call
    (0x15, 0, 1, number),           # ptrace?
    (0x06, 0, 0, 0x00050000 | 1),   # then EPERM
    (0x06, 0, 0, 0x7fff0000)])      # else go on
text = ctypes.create_string_buffer(code, len(code))
program = struct.pack('HxxxxxxP', 4, ctypes.addressof(text))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) < 0 or libc.prctl(22, 2, program, 0, 0) < 0:
    sys.exit(77)
os.execvp(sys.argv[1], sys.argv[1:])
'''


def test_refused_by_a_filter_it_is_measured_without(plain_desk: Desk) -> None:
    summary = plain_desk.work / 'summary.json'
    ran = plain_desk.call(['run', *TRACED, '--no-record', '--json', str(summary), '--', 'sh', '-c', 'true; exit 4'],
                          before=[*NO_LEAK_CHECK, PYTHON, '-c', REFUSE_PTRACE])
    if ran.status == 77:
        pytest.skip('no seccomp filters here')
    assert ran.status == 4, ran.err
    seen = json.loads(summary.read_text())
    assert 'seccomp' in why_not(seen)[0]
    assert seen['cpu']['total_ns'] > 0


def test_strace_in_the_job_is_refused_and_nothing_else(desk: Desk) -> None:
    ran = desk.sh('strace -o /dev/null true 2>/dev/null; echo $?')
    assert ran.status == 0 and ran.out != b'0\n'


def test_programs_that_lose_their_rights_are_named(plain_desk: Desk) -> None:
    su = pathlib.Path('/bin/su')
    if not su.exists() or not su.stat().st_mode & 0o4000:
        pytest.skip('no program with set-user-ID')
    ran = plain_desk.sh('exec /bin/su --version >/dev/null', options=TRACED)
    assert 'without the rights of its set-user-ID' in ran.err
