"""docs/summary.schema.json holds for every JSON that jobmeter writes."""
import json
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
