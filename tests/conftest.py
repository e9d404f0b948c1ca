"""What every Python test may ask for: where the build is, the program under test, and whether slow tests run."""
import os
import pathlib
import signal

import pytest

# Who starts the tests in the background of a shell hands down ignored signals, and the programs under test keep them.
for number in range(1, signal.NSIG):
    if number not in (signal.SIGPIPE, signal.SIGXFSZ) and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

TOP = pathlib.Path(__file__).resolve().parent.parent


def pytest_addoption(parser):
    parser.addoption('--slow', action='store_true', help='also run the tests that are marked slow')


def needs_rights_it_has_not(item):
    """BPF programs are refused to nobody (tests/lifecycle/test_bpf.py shows that): such a pair of parameters is no test."""
    params = item.callspec.params if hasattr(item, 'callspec') else {}
    bpf = params.get('source') == 'bpf' or item.path.name in ('test_told.py', 'test_network.py', 'test_exact_peak.py')
    return bpf and 'nobody' in (params.get('rights'), params.get('place'))


def pytest_collection_modifyitems(config, items):
    none = [item for item in items if needs_rights_it_has_not(item)]
    config.hook.pytest_deselected(items=none)
    items[:] = [item for item in items if item not in none]
    for item in items:
        if 'slow' in item.keywords and not config.getoption('--slow'):
            item.add_marker(pytest.mark.skip(reason='slow: ./dev test --slow runs it'))
        if 'root' in item.keywords and os.geteuid() != 0:
            item.add_marker(pytest.mark.skip(reason='needs root'))


@pytest.fixture(scope='session')
def top() -> pathlib.Path:
    """The root of the tree."""
    return TOP


@pytest.fixture(scope='session')
def build_dir() -> pathlib.Path:
    """The build under test: $JOBMETER_BUILD, else build/."""
    folder = pathlib.Path(os.environ.get('JOBMETER_BUILD', TOP / 'build'))
    assert (folder / 'build.ninja').exists(), f'{folder}: expected a build; run ./dev build'
    return folder


@pytest.fixture(scope='session')
def jobmeter(build_dir: pathlib.Path) -> pathlib.Path:
    """The program under test."""
    return build_dir / 'cli' / 'jobmeter'


@pytest.fixture(scope='session')
def workloads(build_dir: pathlib.Path) -> pathlib.Path:
    """Folder of the jobs of known cost."""
    return build_dir / 'tests' / 'workloads'
