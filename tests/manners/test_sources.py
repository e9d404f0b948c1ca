"""Counts of CPU time that differ are told with both numbers; recordings of sound runs have no such finding."""
from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from manners import Desk

ID = 'cpu.sources_disagree'


def findings(summary: dict[str, list[dict[str, str]]]) -> list[str]:
    return [f['evidence'] for f in summary['findings'] if f['id'] == ID]


def test_recordings_have_none(jobmeter: pathlib.Path, top: pathlib.Path) -> None:
    recordings = sorted((top / 'tests' / 'recordings').glob('*.jm'))
    assert recordings
    for recording in recordings:
        done = subprocess.run([jobmeter, 'report', '--format', 'json', recording], capture_output=True, check=True, timeout=60)
        assert findings(json.loads(done.stdout)) == [], recording


def test_sound_jobs_have_none(desk: Desk) -> None:
    for job in (f'{desk.workload("forks")} 3>/dev/null', f'{desk.workload("threads")} 3>/dev/null',
                f'{desk.workload("burn")} --user 300 3>/dev/null & wait'):
        ran = desk.sh(job, ['-i', '100ms'])
        assert ran.json and findings(ran.json) == [], ran.json['findings']


@pytest.mark.root
def test_a_program_that_leaves_the_counter_is_noticed(plain_desk: Desk) -> None:
    burn = plain_desk.dir / 'burn-as-root'
    shutil.copy(plain_desk.workload('burn'), burn)
    os.chmod(burn, 0o4755)
    if os.statvfs(plain_desk.dir).f_flag & os.ST_NOSUID:
        pytest.skip('nothing here gets the rights of its owner')
    ran = plain_desk.sh(f'{burn} --user 400 3>/dev/null')
    assert ran.json
    if ran.json['run']['tier'] != 'C' or 'perf' in [m['metric'] for m in ran.json['quality']['missing']]:
        pytest.skip('nobody counts by perf here')
    [evidence] = findings(ran.json)
    assert evidence.startswith('wait4 0.') and 'perf counter' in evidence
    assert ran.json['cpu']['total_ns'] >= 400_000_000
