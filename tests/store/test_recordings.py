"""Two readers, one in C and one in Python that was written from docs/recording-format.md alone, must read the same from
every recording: old ones that were kept, random ones, cut ones, damaged ones."""
import csv
import importlib.util
import json
import os
import pathlib
import random
import struct
import subprocess
import sys

import pytest

KEPT = pathlib.Path(__file__).resolve().parent.parent / 'recordings'
spec = importlib.util.spec_from_file_location('jmread', KEPT / 'jmread.py')
assert spec and spec.loader
jmread = importlib.util.module_from_spec(spec)
sys.modules['jmread'] = jmread
spec.loader.exec_module(jmread)


@pytest.fixture(scope='session')
def tool(build_dir):
    return build_dir / 'tests' / 'store' / 'make_recording'


def by_c(tool, recording, out):
    """Lines of the C exporter, and how the reader says that it ended: reason, lost bytes, complete."""
    done = subprocess.run([tool, 'export', recording, out], capture_output=True, text=True)
    if done.returncode:
        return None, done.stderr.strip()
    reason, lost, complete = done.stdout.strip().rsplit('|', 2)
    return lines(out.read_text()), (reason, int(lost), complete == '1')


def lines(text):
    return [json.loads(line, parse_float=str) for line in text.splitlines()]


def by_python(recording):
    try:
        r = jmread.Recording(recording.read_bytes())
    except jmread.Refused as e:
        return None, str(e)
    got = [json.loads(json.dumps(line), parse_float=str) for line in jmread.Lines(r).all()]
    reason = f'{r.why} at byte {r.at}' if r.why else ''
    return got, (reason, r.lost, r.complete)


def agree(tool, recording, tmp_path):
    c, c_end = by_c(tool, recording, tmp_path / 'c.jsonl')
    python, python_end = by_python(recording)
    if c is None or python is None:
        assert c is None and python is None, (c_end, python_end)
        return None
    for ours, theirs in zip(c, python):
        if ours['type'] == 'run':  # C knows its keys only, and says null for what is not there
            for key, value in ours.pop('run').items():
                assert theirs['run'].get(key) == value or (key not in theirs['run'] and not value)
            theirs.pop('run')
        if ours['type'] == 'column':  # a source and a unit of tomorrow have no number in today's C
            for key, unknown in ('source', 'unknown'), ('unit', '?'):
                if ours[key] == unknown:
                    ours[key] = theirs[key]
            if ours['source'] == 'a source of tomorrow':
                ours['exactness'] = theirs['exactness']
        assert ours == theirs
    assert len(c) == len(python)
    assert c_end[1:] == python_end[1:]
    if 'the last sample is torn' not in c_end[0]:
        assert c_end[0] == python_end[0]
    return lines((tmp_path / 'c.jsonl').read_text())


@pytest.mark.parametrize('recording', sorted(KEPT.glob('*.jm')), ids=lambda p: p.name)
def test_a_kept_recording_says_what_it_has_always_said(tool, recording, tmp_path):
    got = agree(tool, recording, tmp_path)
    expected = recording.with_suffix('.jsonl')
    if os.environ.get('JOBMETER_BLESS') == '1' and not expected.exists():
        expected.write_bytes((tmp_path / 'c.jsonl').read_bytes())
    assert got == lines(expected.read_text())


@pytest.mark.parametrize('seed', range(1, 9))
def test_both_readers_agree_on_random_runs(tool, tmp_path, seed):
    recording = tmp_path / 'x.jm'
    ticks = '280' if seed == 1 else '25'  # the first one holds a key frame in its middle
    subprocess.run([tool, 'run', str(seed), ticks, recording], check=True)
    got = agree(tool, recording, tmp_path)
    assert len(got) > 100


def test_both_readers_agree_on_cut_and_damaged_files(tool, tmp_path):
    recording, broken = tmp_path / 'x.jm', tmp_path / 'y.jm'
    subprocess.run([tool, 'run', '77', '12', recording], check=True)
    whole = recording.read_bytes()
    rng = random.Random(1)
    for _ in range(60):
        broken.write_bytes(whole[:rng.randrange(len(whole))])
        agree(tool, broken, tmp_path)
        at = rng.randrange(12, len(whole))
        broken.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1:])
        agree(tool, broken, tmp_path)


def frames(data):
    at = 12
    while at < len(data):
        length, kind = struct.unpack_from('<IB', data, at)
        yield kind, data[at + 5:at + 5 + length]
        at += 9 + length


def framed(head, parts):
    out = [head]
    for kind, payload in parts:
        frame = struct.pack('<IB', len(payload), kind) + payload
        out.append(frame + struct.pack('<I', jmread.crc32c(frame)))
    return b''.join(out)


def spoiled(rng, parts):
    """One frame is missing, comes twice, is another or has another byte. Not those that speak JSON or describe columns: C
    matches what they say with what it knows, which the other reader does not."""
    parts = list(parts)
    able = [i for i, (kind, payload) in enumerate(parts) if kind not in (1, 8, 10) and payload]
    at, other = rng.choice(able), rng.choice(able)
    kind, payload = parts[at]
    cut = rng.randrange(len(payload))
    parts[at:at + 1] = rng.choice((
        [], [parts[at], parts[other]], [(rng.choice((2, 3, 4, 5, 6, 7, 9, 11, 12)), payload)], [(kind, payload[:cut])],
        [(kind, payload[:cut] + bytes([rng.choice((0, 1, 2, 127, 128, 255))]) + payload[cut:])],
        [(kind, payload[:cut] + bytes([payload[cut] ^ 1 << rng.randrange(8)]) + payload[cut + 1:])]))
    return parts


def test_both_readers_take_and_refuse_the_same_nonsense_with_good_checksums(tool, tmp_path):
    recording, broken = tmp_path / 'x.jm', tmp_path / 'y.jm'
    subprocess.run([tool, 'run', '2', '6', recording], check=True)
    whole = recording.read_bytes()
    parts = list(frames(whole))
    assert framed(whole[:12], parts) == whole
    rng = random.Random(2)
    for _ in range(150):
        broken.write_bytes(framed(whole[:12], spoiled(rng, parts)))
        agree(tool, broken, tmp_path)


def test_of_several_runs_both_read_the_last(tool, tmp_path):
    recording = tmp_path / 'x.jm'
    subprocess.run([tool, 'run', '1', '5', recording], check=True)
    subprocess.run([tool, 'run', '2', '7', recording, 'append'], check=True)
    both = agree(tool, recording, tmp_path)
    alone = tmp_path / 'y.jm'
    subprocess.run([tool, 'run', '2', '7', alone], check=True)
    assert both == agree(tool, alone, tmp_path)


def test_csv_holds_the_same_values_as_jsonl(tool, tmp_path):
    recording = tmp_path / 'x.jm'
    subprocess.run([tool, 'run', '5', '40', recording], check=True)
    objects, _ = by_c(tool, recording, tmp_path / 'x.jsonl')
    subprocess.run([tool, 'export', recording, tmp_path / 'x.csv'], check=True, capture_output=True)
    text = (tmp_path / 'x.csv').read_text()
    rows = list(csv.DictReader(text.splitlines()))  # a row is a line whatever a process is called
    samples = [o for o in objects if o['type'] == 'sample']
    assert len(rows) == len(samples) == text.count('\n') - 1
    for row, sample in zip(rows, samples):
        for key in 'time', 'elapsed', 'kind', 'state':
            assert row[key] == sample[key]
        assert row['subject'] == str(sample['subject'])
        assert row['pid'] == ('' if sample['pid'] is None else str(sample['pid']))
        for metric, value in sample['values'].items():
            assert row[metric] == ('' if value is None else str(value))
