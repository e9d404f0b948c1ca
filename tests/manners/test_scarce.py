"""A place where something is missing: descriptors, processes, /proc, time. The job runs; what is not known is said, with its reason."""
from __future__ import annotations

import json
import os
import pathlib
import subprocess

import pytest
from manners import NO_LEAK_CHECK, Desk

# all are there at once, however long it takes to start them
HUNDRED = 'i=0; while [ $i -lt 100 ]; do sleep 1000 & all="$all $!" i=$((i+1)); done; sleep 2; kill $all; wait; exit 7'


def missing(ran_json: dict[str, object] | None) -> dict[str, str]:
    assert ran_json
    quality = ran_json['quality']
    assert isinstance(quality, dict)
    return {m['metric']: m['reason'] for m in quality['missing']}


@pytest.mark.parametrize('limit', [12, 20, 40])
def test_few_descriptors(desk: Desk, limit: int) -> None:
    before = ['prlimit', f'--nofile={limit}:{limit}']
    ran = desk.sh('ulimit -n; ' + HUNDRED, ['-i', '50ms', '-o', 'x.jm'], before=before)
    if limit == 12:
        # not enough to begin with: said before the job, or done with what there is
        assert ran.status in (125, 7), ran
        assert ran.status == 7 or (ran.out == b'' and ran.err.startswith('jobmeter: ')), ran
        return
    assert (ran.status, ran.out) == (7, f'{limit}\n'.encode()), ran.err
    assert ran.json and ran.json['processes'] == {'started': 102, 'seen': 102, 'max_live': 102}
    # memory of all was read, although no more than a few files can be open: a sleep has 0.4 MB at least
    assert ran.json['memory']['peak_rss_bytes']['low'] > 100 * 400000
    assert desk.call(['report', 'x.jm', '--get', 'exit.status']).out == b'7\n'


@pytest.mark.root
@pytest.mark.parametrize('tier', ['', '--tier C'])
def test_without_proc(my_desk: Desk, tier: str) -> None:
    summary = my_desk.work / 'summary.json'
    # a sanitizer reads its options there
    options = 'mkdir /proc/self && printf "ASAN_OPTIONS=detect_leaks=0\\0" >/proc/self/environ && '
    sanitized = b'libasan' in pathlib.Path(my_desk.jobmeter).read_bytes()
    script = (f'mount -t tmpfs none /proc && {options if sanitized else ""}exec {my_desk.jobmeter} run --no-record {tier} -i 20ms --json {summary} -- '
              'sh -c "i=0; while [ \\$i -lt 200000 ]; do i=\\$((i+1)); done; /bin/true; exit 7"')
    done = subprocess.run(['unshare', '-m', 'sh', '-c', script], cwd=my_desk.work, env=my_desk.environment(NO_LEAK_CHECK), capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == 7, done.stderr
    r = json.loads(summary.read_text())
    assert r['exit'] == {'status': 7, 'signal': None}
    assert r['cpu']['total_ns'] > 10e6
    assert r['run']['wall_ns'] >= r['cpu']['total_ns'] * 0.5  # one thread: no more CPU than time, but for the kernel's ticks
    assert r['memory']['peak_rss_bytes']['high'] > 100000
    reasons = missing(r)
    assert 'proc/meminfo' in reasons['memory']
    # tiers A and B are told by the kernel; the files, which are not there, are what C has
    unknown = r['run']['tier'] in ('C', 'D')
    assert unknown or not tier
    assert (r['io']['read_bytes'] is None) is unknown and ('io.read_bytes' in reasons) is unknown
    assert 'exit 7' in done.stderr


def test_an_hour_between_samples_does_not_gather_a_storm_in_memory(desk: Desk, workloads: pathlib.Path) -> None:
    ran = desk.call(['run', '-q', '-i', '1h', '-o', 'x.jsonl', '--', str(workloads / 'forks'), 'waited', '--n', '12000', '--ms', '0'])
    assert ran.status == 0, ran.err
    between, most, starts = 0, 0, 0
    for line in (desk.work / 'x.jsonl').open():
        kind = json.loads(line)['type']
        starts += kind == 'start'
        between = 0 if kind == 'sample' else between + (kind == 'start')
        most = max(most, between)
    if starts < 10000:
        pytest.skip('no source of this machine sees them all')
    assert most < 9800  # 8,192 make a sample due, and what one look at a source brings comes on top


def test_a_process_limit_before_the_job(plain_desk: Desk) -> None:
    if plain_desk.user == 'self':
        pytest.skip('needs another user whose processes can be counted')
    ran = plain_desk.sh('touch ran', before=['prlimit', '--nproc=0:0'], env=NO_LEAK_CHECK)
    assert ran.status == 125
    assert 'cannot start a process' in ran.err and ran.err.count('\n') == 1
    assert not (plain_desk.work / 'ran').exists()


@pytest.mark.root
def test_a_full_process_table_before_and_in_the_job(my_desk: Desk) -> None:
    place = pathlib.Path('/sys/fs/cgroup/pids')
    if not place.is_dir():
        place = pathlib.Path('/sys/fs/cgroup')
    group = place / f'manners-{os.getpid()}'
    try:
        group.mkdir()
        (group / 'pids.max').write_text('1')
    except OSError as e:
        pytest.skip(f'no control group with a limit of processes can be made here: {e}')
    try:
        enter = ['sh', '-c', f'echo $$ >{group}/cgroup.procs; exec "$@"', 'sh']
        ran = my_desk.sh('touch ran', before=enter, env=NO_LEAK_CHECK)
        assert ran.status == 125 and 'cannot start a process' in ran.err, ran
        assert not (my_desk.work / 'ran').exists()
        (group / 'pids.max').write_text('4')
        ran = my_desk.sh('sleep 0.2 & sleep 0.2 & sleep 0.2 & sleep 0.2 & wait', before=enter, env=NO_LEAK_CHECK)
        assert ran.status == 2  # what dash says of it
        assert b'' == ran.out and 'fork' in ran.err and ran.json
    finally:
        while (group / 'cgroup.procs').read_text():  # those that the shell left when it could not fork
            pass
        group.rmdir()


def test_a_job_of_a_millisecond(desk: Desk) -> None:
    for _ in range(20):
        ran = desk.measure('true')
        assert ran.status == 0 and ran.json
        assert ran.json['processes'] == {'started': 1, 'seen': 1, 'max_live': 1}
        assert ran.json['cpu']['total_ns'] > 0
        assert ran.json['memory']['peak_rss_bytes']['high'] > 100000
        assert ran.json['groups'][0]['name'] == 'true'


def test_ten_thousand_processes(my_desk: Desk) -> None:
    count = 10000 if 'build-asan' not in str(os.environ.get('JOBMETER_BUILD')) else 2000
    ran = my_desk.measure(my_desk.workload('forks'), 'waited', '--n', str(count), '--ms', '0', timeout=120)
    assert ran.status == 0 and ran.json
    started, lost = ran.json['processes']['started'], ran.json['quality']['lost_events']
    assert started == count + 1 or (lost > 0 and started < count + 1), (started, lost)
    cpu = ran.json['cpu']
    assert cpu['source'] in ('wait4', 'cgroup v2', 'cgroup v1', 'perf counter') and cpu['total_ns'] > 0


def test_a_process_that_comes_back_under_the_same_pid(my_desk: Desk) -> None:
    if os.geteuid() != 0:
        pytest.skip('only root may choose the next pid, in a pid namespace of its own')
    job = ('sleep 0.05 & first=$!; wait; i=0; while [ $i -lt 20 ]; do echo $((first-1)) >/proc/sys/kernel/ns_last_pid; '
           'sleep 0.03 & [ $! = $first ] && i=$((i+1)); wait; done; echo reused $i')
    ran = my_desk.sh(job, ['-i', '5ms', '-o', 'x.jm'], before=['unshare', '-pf', '--mount-proc', '--kill-child'])
    assert (ran.status, ran.out) == (0, b'reused 20\n'), ran.err
    assert ran.json and ran.json['processes']['started'] == 22
    assert ran.json['cpu']['unattributed_ns'] <= 0.2 * ran.json['cpu']['total_ns'] + 10e6


@pytest.mark.root
def test_processes_of_another_user_inside_the_job(my_desk: Desk) -> None:
    """jobmeter without rights, and a part of the job that has become root: nothing of it may be read, its totals are exact."""
    plain = Desk('nobody')
    try:
        burn = pathlib.Path(plain.workload('burn'))
        root_burn = plain.dir / 'root-burn'
        root_burn.write_bytes(burn.read_bytes())
        root_burn.chmod(0o4755)
        ran = plain.sh(f'{root_burn} --user 150; exit 3', ['-i', '20ms'])
        assert ran.status == 3 and ran.json
        assert ran.json['processes']['started'] == 2
        assert 150e6 * 0.95 <= ran.json['cpu']['total_ns']
        assert {g['name'] for g in ran.json['groups']} == {'sh', 'root-burn'}
    finally:
        plain.close()


@pytest.mark.root
def test_a_job_that_gives_up_root(my_desk: Desk) -> None:
    ran = my_desk.measure(my_desk.workload('privdrop'), '--ms', '100', options=['-i', '20ms'])
    assert ran.status == 0 and ran.json
    assert ran.json['cpu']['total_ns'] >= 95e6


@pytest.mark.root
def test_clocks_of_another_time_namespace(my_desk: Desk) -> None:
    """CLOCK_BOOTTIME and CLOCK_MONOTONIC are days away from what /proc says of start times."""
    if not pathlib.Path('/proc/self/ns/time').exists():
        pytest.skip('this kernel has no time namespaces')
    ran = my_desk.sh('sleep 0.2 & wait; exit 3', ['-i', '20ms', '-o', 'x.jm'],
                     before=['unshare', '-T', '--boottime', '864000', '--monotonic', '86400', '--fork'])
    assert ran.status == 3 and ran.json
    assert 0.15e9 < ran.json['run']['wall_ns'] < 20e9
    assert ran.json['processes'] == {'started': 2, 'seen': 2, 'max_live': 2}
    for group in ran.json['groups']:
        assert 0 <= group['duration_ns'] <= ran.json['run']['wall_ns'] * 1.1 + 20e6, group
