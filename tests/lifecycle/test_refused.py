"""Where the kernel refuses the best ways, the job is measured by the next ones, and the summary names what is missing and
why: no capability, no perf events, a pid namespace, a chroot without /sys or without /proc, and both kinds of user."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

DAEMONS = 4
NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
BARE = ['setpriv', '--bounding-set', '-all', '--inh-caps', '-all']
IN_CHROOT = ['run', '--no-record', '-q', '--wait', 'all', '--json', '/tmp/summary.json', '--', '/bin/forks', 'daemon', '--n',
             str(DAEMONS), '--ms', '3']


def can(*argv) -> bool:
    return subprocess.run([*argv, 'true'], capture_output=True).returncode == 0


def reasons(seen) -> dict[str, str]:
    return {m['metric']: m['reason'] for m in seen['quality']['missing']}


def check(seen, tiers: str) -> None:
    """All are there, their CPU time is, and who is not asked is named with its reason."""
    tier, why = seen['run']['tier'], reasons(seen)
    assert tier in tiers
    if tier in 'ABC':  # D looks now and then: what lives shorter than that is not seen by itself
        assert seen['processes']['started'] == 1 + 2 * DAEMONS
    # they work 3 ms each: that it is counted at all; how exactly is for tests/accuracy
    assert seen['cpu']['total_ns'] >= DAEMONS * 1_500_000
    assert seen['exit'] == {'status': 0, 'signal': None}
    if tier != 'A':
        assert why['bpf'], 'no word of what tier A lacks'
    if tier in 'CD':
        assert why['taskstats'], 'no word of what tier B lacks'
    if tier == 'D':
        assert any('perf' in text for text in why.values())
    assert all(why.values())


@pytest.fixture
def place(jobmeter, workloads):
    """A folder that everybody can reach and write, with the program and a job."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix='jobmeter-test-'))
    folder.chmod(0o777)
    shutil.copy(jobmeter, folder)
    shutil.copy(workloads / 'forks', folder)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def measure(place):
    def run(prefix):
        summary = place / 'summary.json'
        done = subprocess.run([*prefix, place / 'jobmeter', 'run', '--no-record', '-q', '--wait', 'all', '--json', summary, '--',
                               place / 'forks', 'daemon', '--n', str(DAEMONS), '--ms', '3'],
                              capture_output=True, text=True, timeout=60, cwd=place, env={**os.environ, 'HOME': str(place)})
        assert done.returncode == 0, done.stderr
        return json.loads(summary.read_text())
    return run


@pytest.fixture
def paranoid():
    """perf events for nobody but root, as far as this kernel knows that, for as long as a test needs it."""
    switch = pathlib.Path('/proc/sys/kernel/perf_event_paranoid')
    try:
        before = switch.read_text()
        switch.write_text('4')
    except OSError as error:
        pytest.skip(str(error))
    yield
    switch.write_text(before)


@pytest.mark.root
def test_without_any_capability(measure):
    check(measure(BARE), 'CD')


@pytest.mark.root
def test_an_ordinary_user(measure):
    check(measure(NOBODY), 'ACD')  # A: by a helper that may


@pytest.mark.root
@pytest.mark.parametrize('prefix', [BARE, NOBODY], ids=['bare', 'nobody'])
def test_paranoid(measure, paranoid, prefix):
    check(measure(prefix), 'ACD')


@pytest.mark.root
@pytest.mark.parametrize('rights', [[], BARE, NOBODY], ids=['root', 'bare', 'nobody'])
def test_in_a_pid_namespace(measure, rights):
    prefix = ['unshare', '--pid', '--fork', '--mount-proc']
    if not can(*prefix):
        pytest.skip('no namespaces here')
    check(measure([*prefix, *rights]), 'ACD')


@pytest.fixture
def chroot(place):
    """A folder with nothing but the program, a job, and the libraries of both; run(user, with_proc) measures in it."""
    root = place / 'root'
    for folder in ('bin', 'proc', 'tmp'):
        (root / folder).mkdir(parents=True)
    (root / 'tmp').chmod(0o777)
    for program in ('jobmeter', 'forks'):
        shutil.copy(place / program, root / 'bin')
        for word in subprocess.run(['ldd', place / program], capture_output=True, text=True).stdout.split():
            if word.startswith('/'):
                (root / word[1:]).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(word, root / word[1:])

    def run(user, with_proc):
        if not with_proc and any((root / 'bin/jobmeter').read_bytes().count(name) for name in (b'libasan.so', b'__asan_init')):
            pytest.skip('a sanitizer reads /proc/self/maps')
        mount = f'mount -t proc proc {root}/proc && ' if with_proc else ''
        prefix = ['unshare', '--mount', 'sh', '-c', mount + 'exec "$@"', 'sh', 'chroot', *user, root]
        if with_proc and not can('unshare', '--mount', 'sh', '-c', mount + 'exec "$@"', 'sh'):
            pytest.skip('proc cannot be mounted here')
        done = subprocess.run([*prefix, '/bin/jobmeter', *IN_CHROOT], capture_output=True, text=True, timeout=60, env={})
        assert done.returncode == 0, done.stderr
        return json.loads((root / 'tmp/summary.json').read_text())
    return run


@pytest.mark.root
@pytest.mark.parametrize('user', [[], ['--userspec=65534:65534', '--groups=']], ids=['root', 'nobody'])
@pytest.mark.parametrize('with_proc', [True, False], ids=['proc', 'no-proc'])
def test_in_a_chroot_without_sys(chroot, user, with_proc):
    seen = chroot(user, with_proc)
    check(seen, 'ABC')
    if not with_proc:  # without it nobody knows what resident memory is, and that is said rather than 0
        assert seen['memory']['peak_pss_bytes'] is None
        assert reasons(seen)['memory.peak_pss_bytes']
