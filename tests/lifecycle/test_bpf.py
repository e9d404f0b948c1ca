"""Where BPF programs follow the job and where they do not: namespaces, capabilities, refusals. The fall-back says why."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

DAEMONS = 4
CAPS = '+bpf,+perfmon'
NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']


@pytest.fixture
def place():
    folder = pathlib.Path(tempfile.mkdtemp(prefix='jobmeter-test-'))
    folder.chmod(0o777)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def run(jobmeter, workloads, place):
    """Measures daemons (double fork, setsid) under a prefix of other rights or namespaces: the summary."""
    program, job = shutil.copy(jobmeter, place), shutil.copy(workloads / 'forks', place)

    def run(prefix, *options):
        summary = place / 'summary.json'
        done = subprocess.run([*prefix, program, 'run', '--no-record', '-q', '--wait', 'all', '--json', summary, *options, '--',
                               job, 'daemon', '--n', str(DAEMONS), '--ms', '5'],
                              capture_output=True, text=True, timeout=60, cwd=place, env={**os.environ, 'HOME': str(place)})
        assert done.returncode == 0, done.stderr
        return json.loads(summary.read_text())
    return run


def can(*argv) -> bool:
    return subprocess.run(argv, capture_output=True).returncode == 0


def why_not(seen) -> str:
    return ' '.join(m['reason'] for m in seen['quality']['missing'] if m['metric'] == 'bpf')


def followed(seen) -> None:
    if seen['run']['tier'] != 'A':
        pytest.skip(why_not(seen))
    assert seen['processes']['started'] == 1 + 2 * DAEMONS
    assert seen['quality']['lost_events'] == 0
    assert not why_not(seen)


@pytest.mark.root
def test_root_has_tier_a(run):
    followed(run([]))


@pytest.mark.root
def test_two_capabilities_suffice(run):
    prefix = [*NOBODY, f'--inh-caps=-all,{CAPS}', f'--ambient-caps=-all,{CAPS}', f'--bounding-set=-all,{CAPS}']
    if not can(*prefix, 'true'):
        pytest.skip('this setpriv does not know the capabilities')
    followed(run(prefix))


@pytest.mark.root
@pytest.mark.parametrize('missing', ['bpf', 'perfmon'])
def test_one_capability_does_not(run, missing):
    caps = CAPS.replace(f'+{missing}', f'-{missing}')
    prefix = [*NOBODY, f'--inh-caps=-all,{caps}', f'--ambient-caps=-all,{caps}', f'--bounding-set=-all,{caps}']
    if not can(*prefix, 'true'):
        pytest.skip('this setpriv does not know the capabilities')
    seen = run(prefix)
    assert seen['run']['tier'] in 'CD'
    assert 'CAP_BPF and CAP_PERFMON' in why_not(seen) or 'built without' in why_not(seen)


@pytest.mark.root
@pytest.mark.parametrize('depth', [1, 2])
def test_in_a_pid_namespace_its_own_numbers_are_told(run, depth):
    prefix = ['unshare', '--pid', '--fork', '--mount-proc'] * depth
    if not can(*prefix, 'true'):
        pytest.skip('no namespaces here')
    followed(run(prefix))


@pytest.mark.root
def test_without_sys(run):
    prefix = ['unshare', '--mount', 'sh', '-c', 'umount -l /sys && exec "$@"', 'sh']
    if not can(*prefix, 'true'):
        pytest.skip('no namespaces here')
    followed(run(prefix))


@pytest.mark.root
def test_a_time_namespace_is_refused(run):
    prefix = ['unshare', '--time', '--boottime', '1000', '--fork']
    if not can(*prefix, 'true'):
        pytest.skip('no time namespaces here')
    seen = run(prefix)
    assert seen['run']['tier'] in 'BCD'
    assert 'time namespace' in why_not(seen) or 'built without' in why_not(seen)


def test_rights_of_a_user_namespace_do_not_reach_so_far(run):
    prefix = ['unshare', '--user', '--map-root-user']
    if not can(*prefix, 'true'):
        pytest.skip('no user namespaces here')
    seen = run(prefix)
    assert seen['run']['tier'] in 'CD'
    assert 'user namespace' in why_not(seen) or 'built without' in why_not(seen)


@pytest.mark.parametrize('options', [['--no-bpf'], ['--tier', 'B'], ['--tier', 'C'], ['--tier', 'D']])
def test_it_can_be_done_without(run, options):
    seen = run([], *options)
    assert seen['run']['tier'] != 'A'
    assert not why_not(seen)  # nobody wanted it


def test_an_ordinary_user_is_told_what_would_change_it(run):
    seen = run(NOBODY if os.geteuid() == 0 else [])
    assert seen['run']['tier'] in 'CD'
    assert 'CAP_BPF and CAP_PERFMON' in why_not(seen) or 'built without' in why_not(seen)
