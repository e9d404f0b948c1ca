"""jobmeter-bpf: tier A for who has no rights, and nothing else for anybody. Two users, and what each may not see."""
from __future__ import annotations

import json
import os
import pathlib
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

import pytest

pytestmark = pytest.mark.root

BPF, PERFMON, SYS_PTRACE = 39, 38, 19
OURS = (BPF, PERFMON)
USER, OTHER = 65534, 65533
PYTHON = pathlib.Path(sys.base_prefix) / 'bin' / 'python3'
BORROWER = pathlib.Path(__file__).with_name('borrower.py')
BYTES = 4 << 20  # what suid.c writes and allocates


def be(uid: int) -> list[str]:
    return ['setpriv', f'--reuid={uid}', f'--regid={uid}', '--clear-groups']


def give(path: pathlib.Path, capabilities) -> None:
    """File capabilities, as setcap(8) writes them: cap_...=ep."""
    bits = sum(1 << n for n in capabilities)
    data = struct.pack('<5I', 0x02000001, bits & 0xffffffff, 0, bits >> 32, 0)
    try:
        os.setxattr(path, 'security.capability', data)
    except OSError as e:
        pytest.skip(f'no file capabilities here: {e}')


def no_rights(folder: pathlib.Path) -> str:
    """Why file capabilities give nothing here: a container that has not got them itself, a file system without them."""
    done = subprocess.run([*be(USER), PYTHON, folder / 'borrower.py', folder / 'jobmeter-bpf', 'nothing'],
                          capture_output=True, text=True, timeout=120)
    seen = json.loads(done.stdout) if done.returncode == 0 else {'words': done.stderr.strip().rpartition('\n')[2]}
    return '' if 'no request' in seen.get('words', '') else seen.get('words', '') or 'no answer'


@pytest.fixture
def place(build_dir, jobmeter):
    """A folder for everybody, with the program, the helper and its capabilities."""
    if not (build_dir / 'cli' / 'jobmeter-bpf').exists():
        pytest.skip('built without BPF programs')
    folder = pathlib.Path(tempfile.mkdtemp(prefix='jobmeter-test-'))
    folder.chmod(0o777)
    for source in (jobmeter, build_dir / 'cli' / 'jobmeter-bpf', build_dir / 'tests' / 'lifecycle' / 'suid', BORROWER):
        shutil.copy(source, folder)
    give(folder / 'jobmeter-bpf', OURS)
    why = no_rights(folder)
    if not why:
        yield folder
    shutil.rmtree(folder)
    if why:
        pytest.skip(why)


@pytest.fixture
def borrow(place):
    """What the helper says to a user."""
    def borrow(how, *argv, uid=USER, prefix=()):
        done = subprocess.run([*prefix, *be(uid), PYTHON, place / 'borrower.py', place / 'jobmeter-bpf', how, *argv],
                              capture_output=True, text=True, timeout=120, cwd=place)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])
    return borrow


@pytest.fixture
def works(borrow):
    """The helper can load here at all."""
    seen = borrow('follow', '/bin/true')
    if seen['error']:
        pytest.skip(seen['words'])
    return seen


@pytest.fixture
def run(place):
    """Measures a job as an ordinary user: the summary."""
    def run(*job, uid=USER):
        summary = place / f'summary-{uid}.json'
        done = subprocess.run([*be(uid), place / 'jobmeter', 'run', '--no-record', '-q', '--wait', 'all', '--json', summary, '--', *job],
                              capture_output=True, text=True, timeout=120, cwd=place, env={**os.environ, 'HOME': str(place)})
        assert summary.exists(), done.stderr
        return {**json.loads(summary.read_text()), 'exit': done.returncode}
    return run


def why_not(seen) -> str:
    return ' '.join(m['reason'] for m in seen['quality']['missing'] if m['metric'] == 'bpf')


# ---- what a user gets ----

def test_an_ordinary_user_has_tier_a(run, works, workloads, place):
    shutil.copy(workloads / 'forks', place)
    seen = run(place / 'forks', 'daemon', '--n', '20', '--ms', '1')
    assert seen['run']['tier'] == 'A'
    assert not why_not(seen)
    assert seen['processes']['started'] == 1 + 2 * 20
    assert seen['quality']['lost_events'] == 0
    assert [g['name'] for g in seen['groups']] == ['forks']
    assert 'bpf end records (exact)' in seen['quality']['sources']['io.read_chars']


def test_a_storm_is_seen_whole_and_by_name(run, works):
    seen = run('/bin/sh', '-c', 'i=0; while [ $i -lt 500 ]; do /bin/true; i=$((i+1)); done')
    assert seen['run']['tier'] == 'A'
    assert seen['processes']['started'] == 501
    counts = {g['name']: g['instances'] for g in seen['groups']}
    assert counts['true'] == 500 and set(counts) == {'sh', 'true'}


def test_payload_of_sockets_is_exact(run, works, workloads, place):
    shutil.copy(workloads / 'net', place)
    seen = run(place / 'net')
    assert seen['run']['tier'] == 'A'
    assert seen['network']['sent_bytes'] == seen['network']['received_bytes'] == 1100000


def test_two_users_at_once_have_each_their_own(works, place):
    started = []
    for uid in (USER, OTHER):
        summary = place / f'{uid}.json'
        job = 'i=0; while [ $i -lt 50 ]; do /bin/true; i=$((i+1)); done; : ' + str(uid)
        started.append((uid, summary, subprocess.Popen(
            [*be(uid), place / 'jobmeter', 'run', '--no-record', '-q', '--json', summary, '--', '/bin/sh', '-c', job],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=place, env={**os.environ, 'HOME': str(place)})))
    for _uid, summary, process in started:
        assert process.wait(120) == 0
        seen = json.loads(summary.read_text())
        assert seen['run']['tier'] == 'A'
        assert seen['processes']['started'] == 51


def test_of_its_own_processes_everything_is_told(borrow, works, place):
    seen = borrow('follow', str(place / 'suid'), 'child')
    mine = [r for r in seen['records'] if r['pid'] == seen['first']]
    last, = [r for r in mine if r['kind'] == 'last']
    assert seen['exit'] == 5
    assert not any(r['hidden'] for r in seen['records'])
    assert [r['args'] for r in mine if r['kind'] == 'exec'] == [[str(place / 'suid'), 'child']]
    assert last['figures']['wchar'] >= BYTES
    assert last['status'] == 5 << 8
    assert last['max_rss'] * os.sysconf('SC_PAGESIZE') >= BYTES


def test_what_is_lent_are_tables_and_links_and_no_program(works):
    """A program could be called whenever its user likes, and also when a link is closed that it relies on."""
    kinds = [kind.removeprefix('anon_inode:').strip('[]').replace('_', '-') for kind in works['kinds']]
    assert kinds[:5] == ['bpf-map'] * 5
    assert kinds[5:] == ['bpf-link'] * works['links']


# ---- what it does not ----

def hidden(found) -> None:
    """Times, names and numbers of processes, as anybody's /proc shows them, and nothing else."""
    assert found
    for r in found:
        assert r['kind'] == 'fork' or r['hidden']
        assert not r.get('args')
        assert not any(r.get(f) for f in ('high_water', 'max_rss', 'child_user', 'child_system', 'status'))
        assert not [k for k, v in r.get('figures', {}).items() if v and k not in ('cpu', 'user', 'system')]


def test_of_a_setuid_child_no_more_is_told_than_everybody_sees(borrow, works, place):
    (place / 'suid').chmod(0o4755)
    seen = borrow('follow', '/bin/sh', '-c', f'{place}/suid child secret; exit 3')
    first = seen['first']
    assert seen['exit'] == 3
    hidden([r for r in seen['records'] if r['pid'] != first and r['kind'] != 'fork'])
    execs = {r['comm']: r for r in seen['records'] if r['kind'] == 'exec'}
    assert set(execs) == {'sh', 'suid', 'head'}
    assert execs['suid']['hidden'] and execs['head']['hidden']
    own, = [r for r in seen['records'] if r['kind'] == 'last' and r['pid'] == first]
    assert not own['hidden']
    assert own['status'] == 3 << 8
    assert 'secret' not in json.dumps(seen['records'][1:])


@pytest.mark.parametrize('mode', [0o4755, 0o2755, 0o711])
def test_rights_that_were_given_up_stay_hidden(borrow, works, place, mode):
    """setuid, setgid, and a program that its user may not read."""
    if mode == 0o2755:
        os.chown(place / 'suid', 0, 0)
    (place / 'suid').chmod(mode)
    seen = borrow('follow', str(place / 'suid'), 'drop')
    assert seen['exit'] == 5
    hidden([r for r in seen['records'] if r['kind'] != 'fork'])


@pytest.mark.parametrize('link', range(-1, 6))
@pytest.mark.parametrize('how', [('talk',), ('drop', 'talk')])
def test_whoever_closes_a_link_sees_no_more(borrow, works, place, link, how):
    """The links are the user's: without the hook of exec, say, nobody would notice that a program has got rights."""
    shutil.copy(place / 'suid', place / 'plain')
    (place / 'suid').chmod(0o4755)
    seen = borrow('follow' if link < 0 else f'without {link}', '/bin/sh', '-c', f'read line; {place}/suid {" ".join(how)}; exit 3')
    assert seen['exit'] == 3
    assert seen['socket_bytes'] == 0
    found = [r for r in seen['records'] if r['pid'] != seen['first'] and r['kind'] != 'fork']
    assert all(r['hidden'] for r in found)
    if found:
        hidden(found)


def test_sockets_of_its_own_are_counted(borrow, works, place):
    seen = borrow('follow', str(place / 'suid'), 'talk')
    assert seen['exit'] == 5
    assert seen['socket_bytes'] == 1000


def test_a_program_with_capabilities_is_hidden(borrow, works, place):
    give(place / 'suid', [SYS_PTRACE])
    seen = borrow('follow', str(place / 'suid'))
    assert seen['exit'] == 5
    hidden([r for r in seen['records'] if r['kind'] != 'fork'])


def test_who_is_oneself_again_is_told_again(borrow, works, place):
    """As /proc does it: an exec without other rights ends what was hidden."""
    shutil.copy(place / 'suid', place / 'plain')
    (place / 'suid').chmod(0o4755)
    seen = borrow('follow', '/bin/sh', '-c', f'{place}/suid; exec {place}/plain')
    last, = [r for r in seen['records'] if r['kind'] == 'last' and r['pid'] == seen['first']]
    assert not last['hidden'] and last['figures']['wchar'] >= BYTES
    assert last['comm'] == 'plain'


def test_what_is_not_told_is_said(run, works, place, workloads):
    """Sockets of a setuid program are counted for nobody: the job's are a lower bound."""
    shutil.copy(workloads / 'net', place)
    (place / 'suid').chmod(0o4755)
    seen = run('/bin/sh', '-c', f'{place}/net > /dev/null; {place}/suid')
    assert seen['exit'] == 5
    assert seen['run']['tier'] == 'A'
    assert seen['network']['sent_bytes'] == 1100000
    assert 'bounded' in seen['quality']['sources']['network.sent_bytes']
    assert 'other rights' in json.dumps(seen)


def can(*argv, cwd=None) -> bool:
    return subprocess.run(argv, capture_output=True, cwd=cwd).returncode == 0


def test_in_a_user_namespace_of_his_own_everything_is_his(borrow, works, place):
    unshare = shutil.which('unshare') or 'unshare'
    if not can(*be(USER), unshare, '--user', '--map-root-user', 'true'):
        pytest.skip('no user namespaces here')
    seen = borrow('follow', unshare, '--user', '--map-root-user', str(place / 'suid'))
    last, = [r for r in seen['records'] if r['kind'] == 'last' and r['pid'] == seen['first']]
    assert seen['exit'] == 5
    assert not last['hidden'] and last['figures']['wchar'] >= BYTES


def refused(seen, *words) -> None:
    assert seen['status'] == 1
    assert seen['fds'] == 0
    assert seen['error']
    assert any(w in seen['words'] for w in words), seen['words']


def test_processes_of_others_are_refused(borrow, works):
    for uid in (0, OTHER):
        other = subprocess.Popen([*be(uid), 'sleep', '60'])
        try:
            refused(borrow('pid', str(other.pid)), "not this user's")
        finally:
            other.kill()
            other.wait()


def test_a_setuid_process_is_refused_even_when_it_has_given_up_its_rights(borrow, works, place):
    shutil.copy(shutil.which('sleep') or '/bin/sleep', place / 'sleeper')
    (place / 'sleeper').chmod(0o4755)
    process = subprocess.Popen([*be(USER), place / 'sleeper', '60'])
    try:
        while pathlib.Path(f'/proc/{process.pid}/comm').read_text() != 'sleeper\n':
            os.sched_yield()
        refused(borrow('pid', str(process.pid)), "not this user's")
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


# ---- lies, mistakes, and other ways to start it ----

@pytest.mark.parametrize(('how', 'words'), [
    ('nothing', 'no request'), ('empty', 'request is none'), ('short', 'request is none'), ('long', 'request is none'),
    ('huge', 'request is none'), ('garbage', 'request is none'), ('magic', 'request is none'), ('reserved', 'request is none'),
    ('version', 'another version'), ('no descriptor', 'not one descriptor'), ('two descriptors', 'not one descriptor'),
    ('many descriptors', 'not one descriptor'), ('pipe', 'no process'), ('file', 'no process'), ('folder of a process', 'no process'),
    ('ended', 'no process'), ('not dumpable', 'cannot be looked into')])
def test_a_lie_is_refused(borrow, how, words):
    refused(borrow(how), words)


def test_one_request_is_answered_whatever_comes_after_it(borrow, works):
    seen = borrow('repeated', '/bin/true')
    assert seen['fds'] == works['fds'] and seen['exit'] == 0


def test_another_kind_of_socket_is_nobody(borrow):
    seen = borrow('stream')
    assert seen['status'] == 2
    assert 'started by jobmeter' in seen['stderr']


def test_by_hand_it_says_one_sentence(place):
    for source in ('/dev/null', '/dev/zero'):
        with open(source) as stdin:
            done = subprocess.run([*be(USER), place / 'jobmeter-bpf', '--help'], stdin=stdin, capture_output=True, text=True, timeout=60)
        assert done.returncode == 2
        assert done.stderr.count('\n') == 1 and 'started by jobmeter' in done.stderr
        assert not done.stdout


def test_a_socket_of_another_user_is_nobody(place):
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with ours, its:
        done = subprocess.run([*be(USER), place / 'jobmeter-bpf'], stdin=its.fileno(), capture_output=True, text=True, timeout=60)
        assert done.returncode == 2


def test_neither_environment_nor_arguments_matter(borrow, works):
    seen = borrow('environment', '/bin/true')
    assert seen['error'] == 0 and seen['fds'] == works['fds']
    assert seen['stderr'] == ''


def test_root_is_refused(borrow):
    refused(borrow('follow', '/bin/true', uid=0), 'ordinary users')


@pytest.mark.parametrize(('prefix', 'words'), [
    ('unshare --mount sh -c "mount -t proc -o hidepid=2 proc /proc && exec \\"$@\\"" sh', 'hidepid'),
    ('unshare --mount sh -c "echo 0 > zero && mount --bind zero /proc/sys/kernel/unprivileged_bpf_disabled && exec \\"$@\\"" sh',
     'unprivileged_bpf_disabled'),
    ('unshare --mount sh -c "umount -l /proc && exec \\"$@\\"" sh', 'no /proc'),
    ('unshare --pid --fork', 'another pid namespace'),
    ('unshare --pid --fork --mount-proc', 'the first one'),
    ('unshare --pid --fork --mount-proc sh -c "\\"$@\\"; exit $?" sh', 'first pid namespace'),
    ('unshare --time --boottime 1000 --fork', 'time namespace'),
    ('unshare --mount sh -c "mount -o bind,nosuid . . && cd . && mount -o remount,bind,nosuid . && exec \\"$@\\"" sh', 'no capabilities'),
])
def test_where_it_does_not_lend(borrow, works, place, prefix, words):
    argv = shlex.split(prefix)
    if not can(*argv, 'true', cwd=place):  # some leave a file behind
        pytest.skip('no such namespace here')
    refused(borrow('follow', '/bin/true', prefix=argv), words)


@pytest.mark.parametrize(('mode', 'words'), [(0o4755, 'setuid'), (0o2755, 'setuid')])
def test_it_must_not_be_setuid(borrow, place, mode, words):
    (place / 'jobmeter-bpf').chmod(mode)
    give(place / 'jobmeter-bpf', OURS)
    seen = borrow('follow', '/bin/true')
    assert seen['fds'] == 0
    assert seen['status'] == 2 or words in seen['words']


@pytest.mark.parametrize('capabilities', [[BPF], [PERFMON], [BPF, PERFMON, SYS_PTRACE], [SYS_PTRACE]])
def test_it_takes_its_two_capabilities_and_no_others(borrow, place, capabilities):
    give(place / 'jobmeter-bpf', capabilities)
    refused(borrow('follow', '/bin/true'), 'capabilities')


def test_without_capabilities_the_user_is_told_what_to_do(run, place):
    os.removexattr(place / 'jobmeter-bpf', 'security.capability')
    seen = run('/bin/sh', '-c', 'exit 3')
    assert seen['exit'] == 3
    assert seen['run']['tier'] in 'CD'
    assert f'sudo setcap cap_bpf,cap_perfmon=ep {place}/jobmeter-bpf' in why_not(seen)


def test_with_no_new_privileges_the_job_runs_without(place, run, works):
    os.rename(place / 'jobmeter', place / 'jobmeter-real')
    (place / 'jobmeter').write_text(f'#!/bin/sh\nexec setpriv --no-new-privs {place}/jobmeter-real "$@"\n')
    (place / 'jobmeter').chmod(0o755)
    seen = run('/bin/sh', '-c', 'exit 3')
    assert seen['exit'] == 3
    assert seen['run']['tier'] in 'CD'
    assert 'no_new_privs' in why_not(seen)


@pytest.mark.parametrize('instead', ['/bin/true', '/bin/cat'])
def test_a_helper_that_does_not_answer_harms_no_job(place, run, instead):
    (place / 'jobmeter-bpf').unlink()
    shutil.copy(instead, place / 'jobmeter-bpf')
    give(place / 'jobmeter-bpf', OURS)
    seen = run('/bin/sh', '-c', 'exit 3')
    assert seen['exit'] == 3
    assert seen['run']['tier'] in 'CD'
    assert 'has not answered' in why_not(seen)


def test_what_the_helper_costs_is_our_cost(place, run, workloads):
    (place / 'jobmeter-bpf').unlink()
    shutil.copy(workloads / 'phases', place / 'jobmeter-bpf')  # burns 400 ms, and does not answer
    give(place / 'jobmeter-bpf', OURS)
    seen = run('/bin/true')
    assert 'has not answered' in why_not(seen)
    assert seen['overhead']['cpu_ns'] >= 400_000_000


def test_a_helper_that_answers_and_stays_delays_no_job(place, run):
    """A script: its capabilities do nothing for it."""
    if not can(*be(USER), 'env', '-i', '/usr/bin/env', 'python3', '-c', ''):
        pytest.skip('no python3 where everybody looks for it')
    words = b'not today'.ljust(416, b'\0')
    (place / 'jobmeter-bpf').write_text(f'''#!/usr/bin/env python3
import signal, socket, struct
s = socket.socket(fileno=0)  # closed when it is forgotten: then its reader may see a reset before the answer
s.send(struct.pack('<IIII416s', 0x6a6d6261, 1, 0, 0, {words!r}))
signal.pause()
''')
    give(place / 'jobmeter-bpf', OURS)
    seen = run('/bin/sh', '-c', 'exit 3')
    assert seen['exit'] == 3
    assert 'jobmeter-bpf: not today' in why_not(seen)


def test_nothing_with_rights_is_left_while_the_job_runs(place, works, run):
    seen = run('/bin/sh', '-c', 'for p in /proc/[0-9]*; do cat $p/comm; done 2>/dev/null | grep -c jobmeter-bpf; exit 4')
    assert seen['exit'] == 4
    assert seen['run']['tier'] == 'A'
    assert 'jobmeter-bpf' not in {g['name'] for g in seen['groups']}


# ---- doctor ----

def doctor(place, *options) -> str:
    done = subprocess.run([*be(USER), place / 'jobmeter', 'doctor', *options], capture_output=True, text=True, timeout=60,
                          env={**os.environ, 'HOME': str(place)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_doctor_knows_the_helper(place):
    assert 'jobmeter-bpf         yes' in doctor(place)
    assert doctor(place, '--fix') == ''
    os.removexattr(place / 'jobmeter-bpf', 'security.capability')
    line = f'sudo setcap cap_bpf,cap_perfmon=ep {place}/jobmeter-bpf\n'
    assert doctor(place, '--fix') == line
    assert line in doctor(place)
    (place / 'jobmeter-bpf').unlink()
    assert doctor(place, '--fix') == ''
    assert 'jobmeter-bpf         no' in doctor(place)


def test_what_doctor_prints_for_a_shell_fixes_it(place, run, works):
    if not shutil.which('setcap'):
        pytest.skip('no setcap here')
    odd = place / "it's $(touch here); odd"
    odd.mkdir()
    for name in ('jobmeter', 'jobmeter-bpf'):
        shutil.copy(place / name, odd)
    command = doctor(odd, '--fix').removeprefix('sudo ')
    subprocess.run(['sh', '-c', command], check=True, cwd=place)
    assert not (place / 'here').exists()
    assert doctor(odd, '--fix') == ''
    done = subprocess.run([*be(USER), odd / 'jobmeter', 'run', '--no-record', '-q', '--json', place / 'odd.json', '--', '/bin/true'],
                          timeout=60, env={**os.environ, 'HOME': str(place)})
    assert done.returncode == 0
    assert json.loads((place / 'odd.json').read_text())['run']['tier'] == 'A'
