"""A file that is not a whole recording of ours gets one sentence, never a crash; what is left of one is shown, and the loss said."""
from __future__ import annotations

import os
import pathlib
import random
import shutil
from collections.abc import Iterator

import pytest
from manners import Desk

TREE = pathlib.Path(__file__).resolve().parents[2]
# what a reader may say with status 0 about a recording that it could read only in part
LOSS = ('cut short', 'bad checksum', 'damaged', 'missing', 'ends', 'not understood', 'unknown', 'left out', 'passed over')


@pytest.fixture(scope='module')
def recorded() -> Iterator[Desk]:
    d = Desk('self')
    ran = d.sh('jobmeter=$0; i=0; while [ $i -lt 20 ]; do /bin/true; i=$((i+1)); done; exit 3', ['-i', '5ms', '-o', 'ok.jm'])
    assert ran.status == 3
    yield d
    d.close()


def both(desk: Desk, name: str, **how: float) -> list[tuple[int, str]]:
    """Status and last words of report and export."""
    said = []
    for argv in (['report', name], ['export', name, '-o', '-', '--format', 'jsonl']):
        ran = desk.call(argv, timeout=20)
        assert ran.status in (0, 1), (argv, ran.status, ran.err)
        assert 'Sanitizer' not in ran.err and 'runtime error' not in ran.err, ran.err
        said.append((ran.status, ran.err))
    return said


def make(desk: Desk, kind: str) -> str:
    whole = (desk.work / 'ok.jm').read_bytes()
    path = desk.work / f'{kind}.jm'
    content = {
        'empty': b'', 'one byte': b'\x8a', 'head cut': whole[:5], 'head only': whole[:12], 'run cut': whole[:100],
        'text': b'{"schema":"jobmeter.summary/1"}\n', 'zeros': bytes(100000), 'garbage': random.Random(1).randbytes(1 << 20),
        'head and garbage': whole[:12] + random.Random(2).randbytes(1 << 20),
        'future': whole[:8] + b'\x02\x00' + whole[10:], 'other end of lines': whole.replace(b'\r\n', b'\n', 1),
    }
    if kind in content:
        path.write_bytes(content[kind])
    elif kind == 'huge':
        path.write_bytes(b'')
        os.truncate(path, 1 << 36)  # a hole, no disk is used
    elif kind == 'folder':
        path.mkdir()
    elif kind == 'fifo':
        os.mkfifo(path)
    elif kind == 'loop':
        path.symlink_to(path)
    return str(path) if not kind.startswith('/') else kind


KINDS = ['empty', 'one byte', 'head cut', 'head only', 'run cut', 'text', 'zeros', 'garbage', 'head and garbage', 'future',
         'other end of lines', 'huge', 'folder', 'fifo', 'loop', 'absent', '/dev/null', '/dev/zero', '/dev/full']


@pytest.mark.parametrize('kind', KINDS)
def test_not_a_recording(recorded: Desk, kind: str) -> None:
    name = make(recorded, kind)
    for status, err in both(recorded, name):
        assert status == 1
        assert err.startswith('jobmeter: ') and err.count('\n') == 1, err
        assert pathlib.Path(name).name in err


def test_a_future_version_names_itself(recorded: Desk) -> None:
    ran = recorded.call(['report', make(recorded, 'future')])
    assert 'format 2.0' in ran.err, ran.err


def test_cut_anywhere(recorded: Desk) -> None:
    whole = (recorded.work / 'ok.jm').read_bytes()
    chance = random.Random(3)
    for _ in range(60):
        at = chance.randrange(len(whole))
        (recorded.work / 'cut.jm').write_bytes(whole[:at])
        for status, err in both(recorded, 'cut.jm'):
            assert (status == 0) or err.count('\n') == 1, (at, err)
        shown = recorded.call(['report', 'cut.jm', '--get', 'exit.status', '--get', 'quality.complete'])
        if shown.status == 0 and shown.out != b'3\ntrue\n':
            assert b'false' in shown.out, (at, shown)


def test_any_byte_wrong(recorded: Desk) -> None:
    whole = (recorded.work / 'ok.jm').read_bytes()
    chance = random.Random(4)
    good = recorded.call(['report', 'ok.jm', '--format', 'json']).out
    for _ in range(60):
        at = chance.randrange(len(whole))
        broken = bytearray(whole)
        broken[at] ^= 1 << chance.randrange(8)
        (recorded.work / 'broken.jm').write_bytes(broken)
        for status, err in both(recorded, 'broken.jm'):
            assert err and err.count('\n') == 1 or status == 0, (at, err)
        shown = recorded.call(['report', 'broken.jm', '--format', 'json'])
        if shown.status == 0 and shown.out.replace(b'broken.jm', b'ok.jm') != good:
            assert any(word in shown.err for word in LOSS) or b'"complete":false' in shown.out, (at, shown.err)


@pytest.mark.root
def test_a_recording_of_somebody_else(my_desk: Desk) -> None:
    assert my_desk.sh('exit 0', ['-o', 'mine.jm']).status == 0
    other = Desk('nobody')
    try:
        shutil.copy(my_desk.work / 'mine.jm', other.work / 'theirs.jm')
        os.chmod(other.work / 'theirs.jm', 0o600)
        for status, err in both(other, 'theirs.jm'):
            assert status == 1 and 'Permission denied' in err and err.count('\n') == 1
    finally:
        other.close()
