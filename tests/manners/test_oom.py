"""Killed by the kernel for lack of memory: who it was, its size and the limit are in the report, with the kernel's log and without."""
from __future__ import annotations

import os
import pathlib
from collections.abc import Iterator

import pytest
from manners import Desk

LIMIT = 48 << 20
ROOT = pathlib.Path('/sys/fs/cgroup')


def parent_with_memory() -> tuple[pathlib.Path, str] | None:
    """Where a group with a memory limit can be made, and the file of the limit."""
    if (ROOT / 'memory' / 'memory.limit_in_bytes').exists():
        return ROOT / 'memory', 'memory.limit_in_bytes'
    delegated = ROOT / 'cgroup.subtree_control'
    return (ROOT, 'memory.max') if delegated.exists() and 'memory' in delegated.read_text().split() else None


@pytest.fixture
def group() -> Iterator[pathlib.Path]:
    found = parent_with_memory()
    if not found or os.geteuid() != 0:
        pytest.skip('needs root and a memory controller')
    folder = found[0] / f'test-jobmeter-oom-{os.getpid()}'
    folder.mkdir()
    try:
        (folder / found[1]).write_text(str(LIMIT))
        yield folder
    finally:
        folder.rmdir()


def test_the_victim_is_named_with_its_size_and_the_limit(desk: Desk, group: pathlib.Path) -> None:
    def enter() -> None:
        (group / 'cgroup.procs').write_text(str(os.getpid()))

    peak = desk.workload('peak')
    ran = desk.sh(f'{peak} --mib 200 3>/dev/null; exit 5', preexec_fn=enter)
    assert ran.status == 5 and ran.json, ran.err
    memory = ran.json['memory']
    assert memory['oom_kills'] == 1
    [victim] = memory['oom_victims']
    # an ordinary user may not read the kernel's log, and the shell tells nobody what its child died of
    assert victim['process'] == 'peak' and (victim['sure'] or desk.user == 'nobody')
    assert victim['limit_bytes'] == LIMIT
    # more than half of the limit: it was seen last some time before; pages of files that others have touched first are on their account
    assert LIMIT // 2 < victim['rss_bytes'] < LIMIT + (16 << 20)
    [finding] = [f for f in ran.json['findings'] if f['id'] == 'memory.oom_kills']
    assert 'The kernel killed peak' in finding['text'] and '48 MiB' in finding['text']
    assert 'The kernel killed peak' in ran.err
