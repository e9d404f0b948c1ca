"""A person at a terminal: Ctrl-C, Ctrl-Z and fg, a terminal that goes away, colours. A real shell, a real terminal.

A job that is to be stopped starts no programs: between vfork(2) and exec a shell cannot stop, and then the terminal's
Ctrl-Z stops nobody (seen with jobmeter; not tried without)."""
import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import time

import pytest

LIMIT = 30  # seconds for what takes milliseconds: only a hang is an error


def ended(pid):
    """Wait status of a child; what does not end in time is killed, so that a test fails and does not hang."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def until(what):
    """Waits for something that has no descriptor."""
    end = time.monotonic() + LIMIT
    while not what():
        assert time.monotonic() < end, 'it did not happen'
        time.sleep(0.002)


def interrupt_is_pending(status):
    try:
        masks = re.findall(r'^(?:SigPnd|ShdPnd):\s*(\w+)', status.read_text(), re.M)
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(int(mask, 16) >> (signal.SIGINT - 1) & 1 for mask in masks)


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, argv, folder, jobmeter):
        self.seen = ''
        env = {'PATH': f'{jobmeter.parent}:/usr/bin:/bin', 'HOME': str(folder), 'TERM': 'xterm', 'LC_ALL': 'C.UTF-8',
               'PS1': 'ready$ ', 'JOBMETER_RECORD': '0'}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(argv[0], argv, env)

    def send(self, text):
        os.write(self.fd, text.encode())

    def until(self, *texts):
        """Reads until one of the texts has come, returns what came before it and the text."""
        end = time.monotonic() + LIMIT
        while not (found := [t for t in texts if t in self.seen]):
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            assert ready, f'{texts} did not come: {self.seen!r}'
            self.seen += os.read(self.fd, 65536).decode(errors='replace')
        before, _, self.seen = self.seen.partition(found[0])
        return before + found[0]

    def rest(self):
        """What is written until the program's end, and its wait status."""
        try:
            while data := os.read(self.fd, 65536):
                self.seen += data.decode(errors='replace')
        except OSError:
            pass
        return self.seen, ended(self.pid)

    def close(self):
        os.close(self.fd)


@pytest.fixture
def shell(tmp_path, jobmeter):
    terminal = Terminal(['bash', '--norc', '--noprofile', '-i'], tmp_path, jobmeter)
    terminal.until('ready$ ')
    yield terminal
    terminal.send('\x04exit\n')
    terminal.close()
    try:
        os.kill(terminal.pid, signal.SIGKILL)
        os.waitpid(terminal.pid, 0)
    except (ProcessLookupError, ChildProcessError):
        pass


def test_ctrl_c_reaches_the_job_once_and_the_summary_still_comes(shell, tmp_path):
    (tmp_path / 'job').write_text(
        'n=0; trap "n=\\$((n+1))" INT; echo on; while [ $n -lt 1 ]; do sleep 0.05; done; sleep 0.3; exit $((40 + n))\n')
    shell.send('jobmeter run --summary line -- sh job\n')
    shell.until('on\r\n')
    shell.send('\x03')
    assert 'exit=41' in shell.until('wall=')


def test_the_third_ctrl_c_kills_a_job_that_will_not_end(shell, tmp_path):
    (tmp_path / 'job').write_text('trap "echo no" INT; echo on; while :; do sleep 0.05; done\n')
    shell.send('jobmeter run -q -- sh job; echo status=$?\n')
    shell.until('on\r\n')
    found = subprocess.run(['pgrep', '-P', str(shell.pid), '-x', 'jobmeter'], capture_output=True, text=True, check=True)
    status = pathlib.Path(f'/proc/{found.stdout.strip()}/status')
    sent = 0
    while not sent or 'status' not in shell.until('no\r\n', 'status=137\r\n'):
        # the job may answer before jobmeter has looked at its own: two pending signals of a kind are one
        until(lambda: not interrupt_is_pending(status))
        shell.send('\x03')
        sent += 1
    assert sent >= 3


def stopped(shell, tmp_path, options):
    """Starts a job that waits for a line in the pipe `go`, and stops it."""
    os.mkfifo(tmp_path / 'go')
    (tmp_path / 'job').write_text('echo on; read line <go; echo "<$line>" >done; exit 42\n')
    shell.send(f'jobmeter run {options} -- sh job\n')
    shell.until('on\r\n')
    shell.send('\x1a')
    shell.until('Stopped')
    shell.until('ready$ ')


def test_ctrl_z_stops_and_fg_continues(shell, tmp_path):
    stopped(shell, tmp_path, '--summary line')
    shell.send('echo x >go & fg %1\n')
    assert 'exit=42' in shell.until('wall=')


def test_bg_lets_it_go_on_behind_the_shell(shell, tmp_path):
    stopped(shell, tmp_path, '-q')
    shell.send('bg; echo x >go; wait; cat done\n')
    shell.until('<x>\r\n')


def test_a_continue_for_us_continues_the_job(shell, tmp_path):
    stopped(shell, tmp_path, '-q')
    shell.send('kill -CONT $(pgrep -P $$ -x jobmeter); echo x >go; wait; cat done\n')
    shell.until('<x>\r\n')


def test_a_terminal_that_goes_away_ends_the_job(tmp_path, jobmeter):
    terminal = Terminal(['jobmeter', 'run', '-q', '--', 'sh', '-c', 'echo $$ >pid; echo on; exec sleep 1000'],
                        tmp_path, jobmeter)
    terminal.until('on\r\n')
    terminal.close()
    assert os.WTERMSIG(ended(terminal.pid)) == signal.SIGHUP
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / 'pid').read_text()), 0)


def test_the_summary_has_colours_on_a_terminal_only(tmp_path, jobmeter):
    seen, status = Terminal(['jobmeter', 'run', '--', 'true'], tmp_path, jobmeter).rest()
    assert status == 0
    assert '\x1b[' in seen
    seen, _ = Terminal(['sh', '-c', 'TERM=dumb jobmeter run -- true'], tmp_path, jobmeter).rest()
    assert '\x1b[' not in seen
    done = subprocess.run([jobmeter, 'run', '--no-record', '--', 'true'], capture_output=True, text=True, cwd=tmp_path,
                          env={'PATH': '/usr/bin:/bin', 'HOME': str(tmp_path), 'TERM': 'xterm'})
    assert '\x1b[' not in done.stderr


def test_a_job_that_reads_the_terminal_gets_what_is_typed(tmp_path, jobmeter):
    terminal = Terminal(['jobmeter', 'run', '-q', '--', 'sh', '-c', 'echo on; read line; echo "<$line>"'], tmp_path,
                        jobmeter)
    terminal.until('on\r\n')
    terminal.send('typed\n')
    seen, status = terminal.rest()
    assert status == 0
    assert '<typed>' in seen


def test_nohup_protects_the_job_and_us(tmp_path, jobmeter):
    child = subprocess.Popen(['nohup', jobmeter, 'run', '--no-record', '-q', '--', 'sh', '-c',
                              'echo on; while [ ! -e go ]; do sleep 0.05; done; exit 9'],
                             cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    assert child.stdout and child.stdout.readline() == b'on\n'
    child.send_signal(signal.SIGHUP)
    (tmp_path / 'go').touch()
    assert child.wait(LIMIT) == 9
    child.stdout.close()
