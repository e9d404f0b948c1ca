"""tools/count-tests: what a run has left becomes one line, and a second try is said."""
from __future__ import annotations

import json
import pathlib
import subprocess
import sys

import pytest

TOOL = pathlib.Path(__file__).parents[2] / 'tools/count-tests'


def junit(path, suite='s', **cases):
    path.parent.mkdir(exist_ok=True)
    inner = ''.join(f'<testcase classname="{suite}" name="{name}">{"" if how == "passed" else f"<{how}/>"}</testcase>'
                    for name, how in cases.items())
    path.write_text(f'<testsuites><testsuite name="{suite}">{inner}</testsuite></testsuites>')


@pytest.fixture
def counted(tmp_path):
    def run(meson, python, python_again=None, badly=(), badly_again=None, suite='s'):
        junit(tmp_path / 'meson-logs/testlog.junit.xml', suite, **meson)
        junit(tmp_path / 'pytest.xml', **python)
        if python_again is not None:
            junit(tmp_path / 'pytest-again.xml', **python_again)
        for name, which in (('testlog', badly), ('again', badly_again)):
            if which is not None:
                (tmp_path / f'meson-logs/{name}.json').write_text(''.join(
                    json.dumps({'name': f'unit - jobmeter:{test}', 'result': result, 'returncode': 1}) + '\n'
                    for test, result in which))
        if badly_again is not None:
            junit(tmp_path / 'meson-logs/again.junit.xml')
        done = subprocess.run([sys.executable, TOOL, tmp_path], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout.splitlines()
    return run


def test_every_case_counts_once(counted):
    assert counted({'a': 'passed'}, {'b': 'passed', 'c': 'skipped'}) == (0, ['2 passed, 0 failed, 1 skipped'])


def test_a_failure_fails(counted):
    assert counted({'a': 'passed'}, {'b': 'failure', 'c': 'error'}) == (1, ['1 passed, 2 failed, 0 skipped'])


def test_what_passes_the_second_time_is_named(counted):
    status, lines = counted({'a': 'passed'}, {'b': 'failure'}, python_again={'b': 'passed'})
    assert status == 0
    assert lines == ['unsteady: s b: failed among the others, passed when run once more', '2 passed, 0 failed, 0 skipped']


def test_what_fails_twice_fails(counted):
    assert counted({'a': 'passed'}, {'b': 'failure'}, python_again={'b': 'failure'})[0] == 1


def test_what_the_second_run_leaves_out_has_failed(counted):
    assert counted({'a': 'passed'}, {'b': 'failure'}, python_again={})[0] == 1


def test_a_second_run_takes_nothing_back(counted):
    assert counted({'a': 'passed'}, {'b': 'passed', 'c': 'failure'}, python_again={'b': 'failure', 'c': 'passed'})[0] == 0


def test_a_sentence_that_fails_counts_once(counted):
    assert counted({'a': 'failure'}, {}, badly=[('s', 'FAIL')], suite='jobmeter.unit - jobmeter:s') == (
        1, ['0 passed, 1 failed, 0 skipped'])


def test_a_program_that_ends_badly_is_a_failure(counted):
    status, lines = counted({'a': 'passed'}, {}, badly=[('x', 'TIMEOUT'), ('y', 'OK')])
    assert status == 1
    assert lines == ['x: no sentence failed, the program ended badly (TIMEOUT, status 1)', '1 passed, 1 failed, 0 skipped']


def test_a_program_that_ends_well_the_second_time_is_named(counted):
    status, lines = counted({'a': 'passed'}, {}, badly=[('x', 'TIMEOUT')], badly_again=[('x', 'OK')])
    assert status == 0
    assert lines[0] == 'unsteady: x: failed among the others, passed when run once more'


def test_a_program_that_ends_badly_twice_has_failed(counted):
    assert counted({'a': 'passed'}, {}, badly=[('x', 'TIMEOUT')], badly_again=[('x', 'FAIL')])[0] == 1


def test_no_test_at_all_is_a_failure(counted):
    assert counted({}, {})[0] == 1


def test_missing_results_are_a_failure(tmp_path):
    done = subprocess.run([sys.executable, TOOL, tmp_path], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert 'found no file' in done.stdout
