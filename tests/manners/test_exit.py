"""The exit status is the job's, whatever it is, and so is its death."""
from __future__ import annotations

import os
import resource
import signal
import subprocess

import pytest
from manners import Desk


def test_every_exit_status(my_desk: Desk) -> None:
    script = ('i=0; while [ $i -lt 256 ]; do "$0" run -q --no-record -- sh -c "exit $i"; [ $? -eq $i ] || echo "$i became $?"; '
              'i=$((i+1)); done; echo all')
    done = subprocess.run(['sh', '-c', script, my_desk.jobmeter], env=my_desk.environment(), cwd=my_desk.work, capture_output=True,
                          text=True, timeout=120)
    assert (done.stdout, done.stderr) == ('all\n', '')


@pytest.mark.parametrize('name', ['HUP', 'INT', 'QUIT', 'ILL', 'ABRT', 'FPE', 'KILL', 'SEGV', 'PIPE', 'TERM', 'USR1', 'XFSZ', 'SYS',
                                  'RTMIN'])
def test_death_by_a_signal_is_died_after_it(desk: Desk, name: str) -> None:
    number = getattr(signal, f'SIG{name}')

    def cores_are_wanted() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)

    signals = desk.workload('signals')  # leaves no core itself
    ran = desk.measure(signals, '--die', str(int(number)), preexec_fn=cores_are_wanted)
    assert ran.status == -number
    assert ran.json and ran.json['exit']['signal'] == int(number)
    assert [p.name for p in desk.work.iterdir() if 'core' in p.name] == []
    assert desk.left_behind() == []


def test_a_gate_never_hides_how_the_job_ended(desk: Desk) -> None:
    gate = ['--fail-if', 'cpu.total_ns >= 0']
    assert desk.sh('exit 0', gate).status == 3
    assert desk.sh('exit 7', gate).status == 7
    assert desk.sh('kill -TERM $$', gate).status == -signal.SIGTERM
    assert desk.sh('exec sleep 60', [*gate, '--timeout', '50ms']).status == 124


def test_not_found_and_not_executable(desk: Desk) -> None:
    work = desk.work
    for name, content, mode in (('plain', 'text', 0o644), ('binary', '\x7fELF\x02\x01\x01\0', 0o755), ('loop', '', 0)):
        path = work / name
        if name == 'loop':
            path.symlink_to('loop')
        else:
            path.write_text(content)
            path.chmod(mode)
    cases = {'no-such-program': 127, './absent': 127, './absent/deeper': 127, '': 127, './plain': 126, './binary': 126, '.': 126, '/': 126,
             '/dev/null': 126, './loop': 126, './plain/x': 126, 'a' * 300: 127, './' + 'a' * 300: 126}
    for command, status in cases.items():
        ran = desk.call(['run', '-o', 'x.jm', '--', command])
        assert ran.status == status, (command, ran)
        assert ran.out == b'' and ran.err.startswith('jobmeter: ') and ran.err.count('\n') == 1
        assert not (work / 'x.jm').exists(), command


def test_a_script_without_a_first_line_is_a_script(desk: Desk) -> None:
    (desk.work / 'script').write_text('echo "$0 $1"; exit 6\n')
    (desk.work / 'script').chmod(0o755)
    ran = desk.measure('./script', 'word')
    assert (ran.status, ran.out) == (6, b'./script word\n')


def test_the_timeout_ends_the_whole_tree(desk: Desk) -> None:
    ran = desk.sh('sleep 60 & sleep 60 & wait', ['--timeout', '100ms', '--wait', 'all'])
    assert ran.status == 124
    assert ran.json and ran.json['run']['survivors'] == [] and ran.json['run']['wall_ns'] < 9e9


def test_after_a_timeout_nobody_is_left_behind(desk: Desk) -> None:
    # the first process ends at once, its child takes its time: without a timeout it would be named and left alone
    child = 'trap "sleep 0.3; echo tidied >done; exit" TERM; echo ready >ready; while :; do sleep 0.01; done'
    ran = desk.sh(f'({child}) </dev/null >/dev/null 2>&1 & until [ -e ready ]; do :; done; exec sleep 60', ['--timeout', '2s'])
    assert ran.status == 124
    assert (desk.work / 'done').exists()
    assert ran.json and ran.json['run']['survivors'] == [] and ran.json['exit']['signal'] == signal.SIGTERM
    assert ran.json['run']['wall_ns'] < 9e9


@pytest.mark.slow
def test_who_is_left_behind_and_ignores_a_timeout_is_killed(my_desk: Desk) -> None:
    child = 'trap "" TERM; echo $$; exec sleep 60 </dev/null >/dev/null 2>&1'
    ran = my_desk.sh(f"setsid sh -c '{child}' & exec sleep 60", ['--timeout', '1s', '-i', '10s'])
    assert ran.status == 124
    with pytest.raises(ProcessLookupError):
        os.kill(int(ran.out), 0)
    assert ran.json and ran.json['run']['survivors'] == [] and ran.json['exit']['signal'] == signal.SIGTERM
    assert 10e9 < ran.json['run']['wall_ns'] < 30e9


@pytest.mark.slow
def test_who_ignores_the_end_of_its_time_is_killed(my_desk: Desk) -> None:
    ran = my_desk.sh('trap "" TERM; sleep 60; sleep 60; sleep 60', ['--timeout', '100ms'])
    assert ran.status == 124
    assert ran.json and ran.json['exit']['signal'] == signal.SIGKILL
    assert 10e9 < ran.json['run']['wall_ns'] < 30e9


@pytest.mark.root
def test_as_the_first_process_of_a_container(my_desk: Desk) -> None:
    inside = ['unshare', '-pf', '--mount-proc', '--kill-child']
    assert my_desk.sh('exit 9', before=inside).status == 9
    # the first process cannot die of a signal that it sends itself
    for name in ('TERM', 'KILL', 'SEGV'):
        ran = my_desk.sh(f'kill -{name} $$', before=inside)
        assert ran.status == 128 + getattr(signal, f'SIG{name}'), (name, ran)
    # orphans are reaped while the job goes on: this job ends when it sees none of them
    ran = my_desk.sh('i=0; while [ $i -lt 30 ]; do (setsid true &) ; i=$((i+1)); done; '
                     'while cat /proc/[0-9]*/stat 2>/dev/null | grep -q "^[0-9]* (true) Z"; do :; done; '
                     'set -- /proc/[0-9]*/stat; [ $# -lt 10 ] && echo reaped', before=inside)
    assert (ran.status, ran.out) == (0, b'reaped\n')


@pytest.mark.root
def test_the_first_process_of_a_container_passes_signals_on(my_desk: Desk) -> None:
    argv = [my_desk.jobmeter, 'run', '-q', '--no-record', '--', my_desk.workload('signals'), '--wait', '20000', '--count', '1', '--exit', '5']
    outside = my_desk.popen(argv, before=['unshare', '-pf', '--mount-proc', '--kill-child'], stderr=subprocess.PIPE)
    assert outside.stderr
    assert b'ready' in outside.stderr.readline()
    with open(f'/proc/{outside.pid}/task/{outside.pid}/children') as f:
        first = int(f.read().split()[0])  # jobmeter
    os.kill(first, signal.SIGTERM)
    truth = outside.stderr.read()
    assert outside.wait(20) == 5
    assert b'"signal":15' in truth, truth
