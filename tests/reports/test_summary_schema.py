"""docs/summary.schema.json holds for every JSON that jobmeter writes."""
import json
import os
import pathlib
import subprocess

import jsonschema
import pytest

SAMPLES = ['pipeline', 'short', 'unknown', 'hostile', 'cut', 'many', 'nonsense']


def strict(node):
    """The schema may grow, so readers must let unknown keys pass; what we write has none."""
    if isinstance(node, dict):
        if 'properties' in node:
            node.setdefault('additionalProperties', False)
        for child in node.values():
            strict(child)
    elif isinstance(node, list):
        for child in node:
            strict(child)


@pytest.fixture(scope='session')
def schema(top):
    with open(top / 'docs' / 'summary.schema.json') as f:
        s = json.load(f)
    strict(s)
    jsonschema.Draft202012Validator.check_schema(s)
    return jsonschema.Draft202012Validator(s)


@pytest.fixture(scope='session')
def samples(build_dir, tmp_path_factory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp('samples')
    subprocess.run([build_dir / 'tests' / 'unit' / 'render_samples', folder], check=True)
    return folder


def no_twice(pairs):
    keys = [k for k, _ in pairs]
    assert len(keys) == len(set(keys)), f'a key stands twice: {keys}'
    return dict(pairs)


@pytest.mark.parametrize('name', SAMPLES)
def test_every_sample_is_valid_and_explains_its_nulls(schema, samples, name):
    text = (samples / f'{name}.json').read_bytes().decode('utf-8')
    summary = json.loads(text, object_pairs_hook=no_twice)
    schema.validate(summary)
    missing = {m['metric'] for m in summary['quality']['missing']}
    for section in ('cpu', 'time', 'memory', 'io', 'processes', 'overhead'):
        for key, value in summary[section].items():
            if value is None and key != 'source':
                assert f'{section}.{key}' in missing
    for row in summary['groups'] + summary['phases']:
        where = 'groups[]' if 'instances' in row else 'phases[]'
        for key, value in row.items():
            if value is None:
                assert f'{where}.{key}' in missing


def test_every_key_of_the_schema_is_there_in_every_summary(schema, samples):
    """A path into the summary is never wrong usage only because a part took no part."""
    for name in SAMPLES:
        summary = json.loads((samples / f'{name}.json').read_text('utf-8'))
        assert list(summary) == list(schema.schema['properties'])


def test_the_schema_refuses_what_is_wrong(schema, samples):
    good = json.loads((samples / 'pipeline.json').read_text('utf-8'))
    for section, key in (('cpu', 'total_ns'), ('memory', 'peak_rss_bytes'), ('exit', 'signal')):
        bad = json.loads(json.dumps(good))
        del bad[section][key]
        assert list(schema.iter_errors(bad)), f'{section}.{key} may not be left out'
    bad = json.loads(json.dumps(good))
    bad['cpu']['total_ns'] = 'much'
    assert list(schema.iter_errors(bad))
    bad = json.loads(json.dumps(good))
    bad['cpu']['extra'] = 1
    assert list(schema.iter_errors(bad))


@pytest.fixture
def home(tmp_path):
    return {**os.environ, 'XDG_STATE_HOME': str(tmp_path / 'state'), 'XDG_CONFIG_HOME': str(tmp_path / 'config')}


def test_what_the_program_writes_is_valid(schema, jobmeter, tmp_path, home):
    """A real run, its --json, and the report of its recording: the same schema, and the same figures."""
    recording, live = tmp_path / 'run.jm', tmp_path / 'live.json'
    job = ['sh', '-c', 'head -c 3000000 /dev/zero | sort >/dev/null; sleep 0.1']
    run = [jobmeter, 'run', '-q', '-i', '20ms', '-o', recording, '--json', live, '--tag', 'a="<&', '--', *job]
    subprocess.run(run, check=True, env=home)
    report = [jobmeter, 'report', recording, '--format', 'json']
    replay = subprocess.run(report, check=True, env=home, capture_output=True).stdout
    replayed = json.loads(replay, object_pairs_hook=no_twice)
    measured = json.loads(live.read_text('utf-8'), object_pairs_hook=no_twice)
    for summary in (measured, replayed):
        schema.validate(summary)
        assert summary['exit'] == {'status': 0, 'signal': None}
        assert summary['run']['tags'] == {'a': '"<&'}
        assert summary['cpu']['total_ns'] > 0
    # exact totals; sampled rows are recorded in microseconds and KiB, so a rate may differ in its last digit
    for key in ('user_ns', 'system_ns', 'total_ns', 'allowed_cores'):
        assert replayed['cpu'][key] == measured['cpu'][key]
    assert replayed['io'] == measured['io']
    assert replayed['exit'] == measured['exit']


@pytest.mark.parametrize('suffix,begin', [('html', '<!doctype html>'), ('md', '# sh -c'), ('svg', '<svg '),
                                          ('txt', 'jobmeter: '), ('json', '{"schema"')])
def test_the_suffix_chooses_the_form(jobmeter, tmp_path, home, suffix, begin):
    recording, out = tmp_path / 'run.jm', tmp_path / f'out.{suffix}'
    subprocess.run([jobmeter, 'run', '-q', '-o', recording, '--', 'sh', '-c', 'exit 0'], check=True, env=home)
    subprocess.run([jobmeter, 'report', recording, '-o', out], check=True, env=home)
    assert out.read_text('utf-8').startswith(begin)
