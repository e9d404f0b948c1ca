"""Golden tests of the program: TOPIC/CASE.sh runs in a folder of its own; what it prints is held against CASE.stdout
and CASE.stderr (nothing expected when there is no such file) and its exit status against CASE.exit (0). In
CASE.stdout.glob and CASE.stderr.glob a line is a pattern (* and ?), and a line of three dots stands for any lines.
JOBMETER_BLESS=1 writes what was printed, after a look at it; a run with another exit status is not blessed."""
import fnmatch
import os
import pathlib
import subprocess

import pytest

HERE = pathlib.Path(__file__).parent
CASES = sorted(str(p.relative_to(HERE).with_suffix('')) for p in HERE.glob('*/*.sh'))


def matches(lines, patterns):
    """Do the lines fit the patterns?"""
    if not patterns:
        return not lines
    if patterns[0] == '...':
        return matches(lines, patterns[1:]) or (bool(lines) and matches(lines[1:], patterns))
    return bool(lines) and fnmatch.fnmatchcase(lines[0], patterns[0]) and matches(lines[1:], patterns[1:])


def hold(case, stream, printed):
    exact, glob = HERE / f'{case}.{stream}', HERE / f'{case}.{stream}.glob'
    if glob.exists():
        assert matches(printed.splitlines(), glob.read_text().splitlines()), f'{glob.name} does not fit:\n{printed}'
        return
    if os.environ.get('JOBMETER_BLESS'):
        exact.unlink(missing_ok=True)
        if printed:
            exact.write_text(printed)
        return
    assert printed == (exact.read_text() if exact.exists() else ''), exact.name


@pytest.mark.parametrize('case', CASES)
def test_golden(case, jobmeter, workloads, top, tmp_path):
    script, status = HERE / f'{case}.sh', HERE / f'{case}.exit'
    first = script.read_text().splitlines()[0]
    env = {
        'PATH': f'{jobmeter.parent}:{workloads}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
        'HOME': str(tmp_path), 'LC_ALL': 'C.UTF-8', 'TERM': 'dumb', 'COLUMNS': '80', 'TOP': str(top),
    }
    env |= {k: v for k, v in os.environ.items() if k.endswith('SAN_OPTIONS')}
    done = subprocess.run(['bash' if 'bash' in first else 'sh', str(script)], cwd=tmp_path, env=env, timeout=60,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors='backslashreplace')
    expected = int(status.read_text()) if status.exists() else 0
    assert done.returncode == expected, done.stdout + done.stderr
    hold(case, 'stdout', done.stdout)
    hold(case, 'stderr', done.stderr)


def test_every_expectation_has_its_case():
    kinds = ('.stdout', '.stderr', '.exit', '.stdout.glob', '.stderr.glob')
    for path in HERE.glob('*/*.*'):
        for kind in sorted(kinds, key=len, reverse=True):
            if path.name.endswith(kind):
                assert (path.parent / (path.name.removesuffix(kind) + '.sh')).exists(), path
                break
