"""The source archive: what is in it is enough to build, and passes its own tests."""
import os
import pathlib
import subprocess
import tarfile

import pytest


def done(argv, folder):
    ran = subprocess.run(argv, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1800)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]
    return ran.stdout


@pytest.mark.slow
def test_archive_builds_and_passes_its_tests(top: pathlib.Path, build_dir: pathlib.Path, tmp_path: pathlib.Path):
    if not (top / '.git').exists():
        pytest.skip('an archive is made from a git checkout')
    done(['meson', 'dist', '-C', build_dir, '--no-tests', '--allow-dirty', '--formats', 'gztar'], top)
    archive = max((build_dir / 'meson-dist').glob('*.tar.gz'), key=lambda path: path.stat().st_mtime)
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter='data')
    tree, = tmp_path.iterdir()
    assert (tree / 'dev').stat().st_mode & 0o111, 'dev is a program in the archive too'
    done(['meson', 'setup', 'build'], tree)
    done(['meson', 'compile', '-C', 'build'], tree)
    done(['meson', 'test', '-C', 'build', '--no-rebuild', '-t', '10', '--no-suite', 'bench', '--no-suite', 'slow'], tree)
    done(['meson', 'install', '-C', 'build', '--no-rebuild', '--destdir', tmp_path / 'there'], tree)
    if (tree / 'build/cli/jobmeter-bpf').exists():  # built with BPF programs
        helper = tmp_path / 'there/usr/local/libexec/jobmeter-bpf'
        assert helper.stat().st_mode & 0o7777 == 0o755, 'installed without any rights'
        assert 'security.capability' not in os.listxattr(helper)
    program = tmp_path / 'there/usr/local/bin/jobmeter'
    assert done([program, 'run', '-q', '--no-record', '--', 'echo', 'measured'], tmp_path) == 'measured\n'
    pkgconfig, = (tmp_path / 'there').rglob('jobmeter.pc')
    flags = done(['pkg-config', f'--define-variable=prefix={tmp_path}/there/usr/local', '--cflags', '--libs', pkgconfig],
                 tmp_path).split()
    done(['cc', '-std=c99', tree / 'tests/lint/outsider.c', '-o', 'outsider', *flags], tmp_path)
    for name in ('include/jobmeter.h', 'share/man/man1/jobmeter-run.1', 'share/zsh/site-functions/_jobmeter',
                 'share/fish/vendor_completions.d/jobmeter.fish', 'share/bash-completion/completions/jobmeter'):
        assert (tmp_path / 'there/usr/local' / name).stat().st_size > 0
