"""What is concluded from a run is concluded from its recording, to the last digit."""
from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from measured import Place


def differences(live: Any, replay: Any, path: str = '') -> list[str]:
    if isinstance(live, dict) and isinstance(replay, dict):
        return [d for k in sorted(live.keys() | replay.keys()) for d in differences(live.get(k), replay.get(k), f'{path}.{k}')]
    if isinstance(live, list) and isinstance(replay, list) and len(live) == len(replay):
        return [d for i, (a, b) in enumerate(zip(live, replay, strict=True)) for d in differences(a, b, f'{path}[{i}]')]
    return [] if live == replay else [f'{path}: {live!r} live, {replay!r} from the recording']


@pytest.mark.parametrize('options,job', [
    ((), ('forks', 'waited', '--n', '10', '--ms', '20')),
    (('--wait', 'all'), ('forks', 'daemon', '--n', '3', '--ms', '50')),
    (('--tier', 'D'), ('forks', 'chain', '--n', '5', '--ms', '30')),
    ((), ('tree', '--n', '5', '--depth', '2', '--seconds', '1')),
    ((), ('peak', '--mib', '50', '--hold', '300')),
    ((), ('io', '--bytes', '300001', '--children', '2')),
    ((), ('churn', '--rate', '100', '--seconds', '1')),
])
def test_live_equals_replay(place: Place, options: tuple[str, ...], job: tuple[str, ...]) -> None:
    recording, summary = place.work / 'run.jm', place.work / 'live.json'
    argv = [str(place.dir / 'jobmeter'), 'run', '-q', '-i', '50ms', '-o', str(recording), '--json', str(summary), *options, '--',
            place.workload(job[0]), *job[1:]]
    subprocess.run(place.command(argv), cwd=place.work, check=True, timeout=60, capture_output=True, stdin=subprocess.DEVNULL)
    text = subprocess.run([str(place.dir / 'jobmeter'), 'report', str(recording), '--format', 'json'], check=True, timeout=60,
                          capture_output=True, text=True).stdout
    live, replay = json.loads(summary.read_text()), json.loads(text)
    assert differences(live, replay) == []
