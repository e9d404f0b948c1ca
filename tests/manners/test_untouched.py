"""What the job sees is what it would see without jobmeter, byte for byte."""
from __future__ import annotations

import hashlib
import os
import random
import re
import subprocess

import pytest
from manners import Desk

# Everything of a process that its starter could change. The process group and the session are told as differences.
LOOK = r'''
umask; pwd; nice
cat /proc/$$/limits /proc/$$/oom_score_adj /proc/$$/coredump_filter /proc/$$/timerslack_ns /proc/$$/personality 2>/dev/null
grep -E '^(Sig(Blk|Ign|Cgt)|Cap|NoNewPrivs|Seccomp|Cpus_allowed_list|Groups|Uid|Gid|THP)' /proc/self/status
find /proc/self/fd -type l -printf 'fd %f %l\n'
set -- $(sed 's/.*) //' /proc/$$/stat)
echo "priority ${16} ${17} tty $5 policy ${39}"
env | sort
'''
IDS = "set -- $(sed 's/.*) //' /proc/$$/stat); echo $2 $3 $4"


def without(text: bytes, *names: str) -> list[str]:
    """Lines but those of these variables, and of the folders that find itself has open."""
    return [re.sub(r'\[\d+\]', '', line) for line in text.decode().splitlines()
            if not line.startswith(tuple(f'{name}=' for name in names)) and not re.match(r'fd \d+ (/proc/\d+|anon|/.*/work$)', line)]


@pytest.mark.parametrize('change', ['', 'umask 077', 'ulimit -n 50', 'ulimit -c 0; ulimit -s 4096', 'cd /', 'trap "" INT HUP CHLD', 'exec 7</dev/null',
                                    'exec nice -n 3 sh -c "$REST"', 'unset PATH; export A="b\nc"', 'trap "" PIPE XFSZ'])
def test_nothing_but_two_variables_is_changed(desk: Desk, change: str) -> None:
    (desk.work / 'look').write_text(LOOK)
    bare = f'{change}\nexec /bin/sh ./look' if not change.startswith('exec nice') else change
    if change == 'cd /':
        bare = f'cd /\nexec /bin/sh {desk.work}/look'
    seen = []
    for prefix in ('', f'{desk.jobmeter} run -q --no-record -- '):
        script = bare.replace('exec /bin/sh', f'exec {prefix}/bin/sh')
        environment = {'REST': f'exec {prefix}/bin/sh ./look'}
        done = desk.popen(['sh', '-c', script], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, err = done.communicate(timeout=20)
        assert (done.returncode, err) == (0, b''), err
        seen.append((out, without(out, 'JOBMETER_RUN_ID', 'JOBMETER_SOCKET', 'REST')))
    assert seen[1][1] == seen[0][1]
    added = set(re.findall(rb'^JOBMETER_\w+', seen[1][0], re.M))
    assert added == {b'JOBMETER_RUN_ID', b'JOBMETER_SOCKET'}


def test_the_job_stays_in_the_group_and_session_that_jobmeter_is_in(desk: Desk) -> None:
    job = desk.popen([desk.jobmeter, 'run', '-q', '--no-record', '--', 'sh', '-c', IDS], stdout=subprocess.PIPE, start_new_session=True)
    out, _ = job.communicate(timeout=20)
    assert out.split() == [str(job.pid).encode()] * 3  # parent, group, session


def test_standard_input_passes_through(desk: Desk) -> None:
    data = random.Random(1).randbytes(10 << 20)
    ran = desk.measure('sha256sum', input=data)
    assert ran.out.split()[0].decode() == hashlib.sha256(data).hexdigest()


def test_outputs_pass_through_and_the_summary_is_behind_them(desk: Desk) -> None:
    out, err = random.Random(2).randbytes(1 << 20), random.Random(3).randbytes(1 << 20)
    (desk.work / 'out').write_bytes(out)
    (desk.work / 'err').write_bytes(err)
    done = desk.popen([desk.jobmeter, 'run', '--no-record', '--', 'sh', '-c', 'cat out; cat err >&2'], stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
    seen_out, seen_err = done.communicate(timeout=20)
    assert done.returncode == 0
    assert seen_out == out
    assert seen_err[:len(err)] == err
    assert seen_err[len(err):].startswith(b'jobmeter: sh -c ') and seen_err.count(b'\n', len(err)) >= 5


def test_a_reader_that_goes_away_is_the_jobs_affair(desk: Desk) -> None:
    script = f'{desk.jobmeter} run -q --no-record -- sh -c "yes; echo yes ended \\$? >&2" | head -n 1'
    done = desk.popen(['sh', '-c', script], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = done.communicate(timeout=20)
    assert out == b'y\n'
    assert b'yes ended 141' in err  # SIGPIPE is as it was


@pytest.mark.parametrize('sink', ['/dev/full', 'closed pipe'])
def test_a_summary_that_nobody_takes_changes_nothing(desk: Desk, sink: str) -> None:
    if sink == 'closed pipe':
        r, w = os.pipe()
        os.close(r)
    else:
        w = os.open(sink, os.O_WRONLY)
    done = desk.popen([desk.jobmeter, 'run', '--no-record', '--', 'sh', '-c', 'exit 5'], stderr=w)
    os.close(w)
    assert done.wait(20) == 5


def test_options_from_the_environment(desk: Desk) -> None:
    ran = desk.call(['run', '--', 'sh', '-c', 'sleep 60'], env={'JOBMETER_TIMEOUT': '50ms', 'JOBMETER_SUMMARY': 'line', 'JOBMETER_RECORD': '0',
                                                                'JOBMETER_TAG': 'a=b', 'JOBMETER_JSON': 'x.json'})
    assert ran.status == 124
    assert [line.split()[0] for line in ran.err.splitlines()] == ['jobmeter:', 'exit=143']  # why it ended, and the line
    assert b'"tags":{"a":"b"}' in (desk.work / 'x.json').read_bytes()
    # the command line is stronger
    ran = desk.call(['run', '--summary', 'none', '--', 'true'], env={'JOBMETER_SUMMARY': 'full', 'JOBMETER_RECORD': 'no'})
    assert (ran.status, ran.err) == (0, '')
    ran = desk.call(['run', '--', 'touch', 'ran'], env={'JOBMETER_INTERVAL': 'often'})
    assert ran.status == 125 and 'JOBMETER_INTERVAL' in ran.err and not (desk.work / 'ran').exists()


def test_absurd_intervals_are_wrong_usage(plain_desk: Desk) -> None:
    for interval in ('0', '0s', '-1', '-0.5s', '1', '0.5', '1ms', '1h', '61m', '0.5ms', 'nan', 'inf', '1e9', '9' * 400, '1 s', '1 s ', 's', '1S', '٣s', '1s\n'):
        ran = plain_desk.call(['run', '-q', '--no-record', '-i', interval, '--', 'touch', 'ran'])
        good = interval in ('1', '0.5', '1ms', '1h', '1 s')
        assert ran.status == (0 if good else 125), (interval, ran)
        assert (plain_desk.work / 'ran').exists() == good, interval
        (plain_desk.work / 'ran').unlink(missing_ok=True)
