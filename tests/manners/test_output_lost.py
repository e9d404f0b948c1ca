"""What becomes of outputs while the job runs is no reason to disturb it: its status stays, the summary comes from memory,
and what is lost is said. What is wrong before it starts is said before it starts."""
from __future__ import annotations

import fcntl
import os
import pathlib
import struct
import subprocess
import termios
import time

import pytest
from manners import Desk

# jobs that change jobmeter's files from inside, so no clock is needed to do it half-way; the last tick is still to come
TREE = 'i=0; while [ $i -lt 40 ]; do /bin/true; i=$((i+1)); done; '
FAST = ('-i', '5ms')
KEPT = pathlib.Path(__file__).resolve().parent.parent / 'recordings'


def test_a_limit_on_file_size_half_way(desk: Desk) -> None:
    # a summary as JSON would not fit either
    job = TREE + 'prlimit --fsize=100 --pid $PPID; ' + TREE + 'exit 9'
    ran = desk.call(['run', *FAST, '-o', 'x.jm', '-o', 'x.csv', '--json', 'x.json', '--', 'sh', '-c', job])
    assert ran.status == 9
    assert 'warning: x.json: the summary could not be written: File too large' in ran.err
    assert 'warning: x.jm: File too large' in ran.err and 'missing in the file' in ran.err
    assert 'warning: x.csv: File too large' in ran.err
    assert 'exit 9' in ran.err and '82 started' in ran.err


@pytest.mark.root
@pytest.mark.parametrize('name', ['x.jm', 'x.csv', 'x.jsonl'])
def test_a_full_disk_half_way(my_desk: Desk, name: str) -> None:
    # a file system of its own that the job fills, gone with its name space; one output at a time, as one that is given up may
    # leave room for another; what follows the filling is more than the rest of a file's last page holds
    script = (f'mkdir disk && mount -t tmpfs -o size=64k none disk && {my_desk.jobmeter} run --no-record {" ".join(FAST)} -o disk/{name} '
              f'-- sh -c \'cat /dev/zero >disk/filler 2>/dev/null; {TREE * 2} exit 9\'; echo status $?;'
              f'{my_desk.jobmeter} report disk/{name} >report; echo report $?')
    done = subprocess.run(['unshare', '-m', 'sh', '-c', script], cwd=my_desk.work, env=my_desk.environment(), capture_output=True,
                          text=True, timeout=60)
    assert 'status 9' in done.stdout, done.stdout + done.stderr
    assert f'warning: disk/{name}: No space left on device' in done.stderr
    assert 'exit 9' in done.stderr
    if name == 'x.jm':
        assert 'report 0' in done.stdout, done.stdout + done.stderr
        assert 'The recording ends before the job does' in (my_desk.work / 'report').read_text()


def test_exports_into_one_log_leave_each_other_whole(my_desk: Desk) -> None:
    # on a machine that is not too busy, more than is written at once
    assert my_desk.call(['run', '-q', '-i', '2ms', '-o', 'x.jm', '--', 'sh', '-c', 'for i in $(seq 20); do sleep 0.8 & done; wait']).status == 0
    argv = [my_desk.jobmeter, 'export', 'x.jm', '-o', '-', '--format', 'csv']
    alone = my_desk.call(argv[1:]).out
    with open(my_desk.work / 'log', 'ab') as log:
        exports = [my_desk.popen(argv, stdout=log) for _ in range(2)]
        assert [e.wait(60) for e in exports] == [0, 0]
    lines = (my_desk.work / 'log').read_bytes().splitlines(keepends=True)
    assert sorted(lines) == sorted(alone.splitlines(keepends=True) * 2)


@pytest.mark.parametrize('name', ['x.jm', 'x.csv', 'x.jsonl'])
def test_deleted_half_way(desk: Desk, name: str) -> None:
    ran = desk.sh(TREE + f'rm {name}; ' + TREE + 'exit 9', [*FAST, '-o', name])
    assert ran.status == 9
    assert f'warning: {name}: somebody else has deleted the file' in ran.err
    assert 'exit 9' in ran.err and 'saved' not in ran.err
    assert not (desk.work / name).exists()


@pytest.mark.parametrize('command', [['export', '--format', 'jsonl'], ['report', '--format', 'html']], ids=lambda c: c[0])
def test_a_pipe_that_does_not_wait(desk: Desk, command: list[str]) -> None:
    # whoever shares a pipe may have made it so (Node.js does); a reader that is slow must not cost a byte
    recording = str(KEPT / '1.0-whole.jm')
    expected = desk.call([*command, '-o', '-', recording]).out
    assert len(expected) > 4 * 4096
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(write, False)
    with subprocess.Popen([str(desk.jobmeter), *command, '-o', '-', recording], stdout=write, stderr=subprocess.PIPE,
                          env=desk.environment()) as teller:
        while struct.unpack('i', fcntl.ioctl(read, termios.FIONREAD, b'    '))[0] < 4096 and teller.poll() is None:
            time.sleep(0.001)  # it is full: the next write has met EAGAIN or soon will
        os.close(write)
        with os.fdopen(read, 'rb') as pipe:
            got = pipe.read()
        assert teller.stderr is not None
        assert (teller.stderr.read(), teller.wait()) == (b'', 0)
    assert got == expected


def test_replaced_half_way(desk: Desk) -> None:
    ran = desk.sh(TREE + 'rm x.jm; echo mine >x.jm; exit 9', [*FAST, '-o', 'x.jm'])
    assert ran.status == 9
    assert 'saved' not in ran.err
    assert (desk.work / 'x.jm').read_text() == 'mine\n'


@pytest.mark.parametrize('name', ['x.jm', 'x.csv', 'x.jsonl'])
def test_cut_half_way(desk: Desk, name: str) -> None:
    ran = desk.sh(TREE + f': >{name}; ' + TREE + 'exit 9', [*FAST, '-o', name])
    assert ran.status == 9
    assert f'warning: {name}: somebody else has cut the file' in ran.err
    if name == 'x.jm':
        again = desk.call(['report', 'x.jm', '--get', 'exit.status'])
        assert (again.status, again.out) == (0, b'9\n'), again.err


def test_what_can_be_known_before_is_said_before(plain_desk: Desk) -> None:
    closed = plain_desk.dir / 'closed'
    closed.mkdir(mode=0o555)
    (plain_desk.work / 'taken').mkdir()
    assert plain_desk.sh('printf mine >text.jm').status == 0
    for output, word in (('missing/x.jm', 'missing'), (str(closed / 'x.csv'), 'denied'), ('taken/', '.jm, .csv or .jsonl'),
                         ('text.jm', 'no recording'), ('x.txt', '.jm, .csv or .jsonl'), ('', 'FILE'), ('/dev/full.jm', 'denied')):
        ran = plain_desk.call(['run', '-o', output, '--', 'touch', 'ran'])
        assert ran.status == 125, (output, ran)
        assert word in ran.err and ran.err.count('\n') <= 2, ran.err
        assert not (plain_desk.work / 'ran').exists(), output
    assert (plain_desk.work / 'text.jm').read_text() == 'mine'


@pytest.mark.root
def test_a_read_only_file_system_is_said_before(my_desk: Desk) -> None:
    script = f'mkdir disk && mount -t tmpfs -o ro none disk && {my_desk.jobmeter} run -o disk/x.jm -- touch ran; echo status $?'
    done = subprocess.run(['unshare', '-m', 'sh', '-c', script], cwd=my_desk.work, env=my_desk.environment(), capture_output=True,
                          text=True, timeout=60)
    assert 'status 125' in done.stdout and 'Read-only file system' in done.stderr, done.stdout + done.stderr
    assert not (my_desk.work / 'ran').exists()


def test_nothing_is_left_of_a_command_that_cannot_be_executed(desk: Desk) -> None:
    (desk.work / 'script').write_text('#!/no/such/interpreter\n')
    (desk.work / 'script').chmod(0o755)
    ran = desk.call(['run', '-o', 'y.jm', '--json', 'y.json', '--', './script'])
    assert ran.status == 127 and 'interpreter' in ran.err
    assert not (desk.work / 'y.json').exists() and not (desk.work / 'y.jm').exists()
    assert desk.left_behind() == []


def test_out_of_memory_half_way(plain_desk: Desk) -> None:
    if 'asan' in str(os.environ.get('JOBMETER_BUILD')):
        pytest.skip('a sanitized build ends when it cannot grow')
    # jobmeter may not grow any more; the job goes on and its status stays
    ran = plain_desk.sh('prlimit --as=1 --pid $PPID; i=0; while [ $i -lt 400 ]; do /bin/true & i=$((i+1)); done; wait; exit 9',
                        ['-i', '5ms'])
    assert ran.status == 9
