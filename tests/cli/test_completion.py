"""Completions as zsh and fish themselves do them, where they are installed (./dev setup shells)."""
import os
import pty
import select
import shutil
import subprocess
import time

import pytest

LIMIT = 30  # seconds for what takes milliseconds: only a hang is an error


def environment(folder, jobmeter):
    return {'PATH': f'{jobmeter.parent}:/usr/bin:/bin', 'HOME': str(folder), 'XDG_CONFIG_HOME': str(folder),
            'TERM': 'dumb', 'LC_ALL': 'C.UTF-8', 'FOLDER': str(folder)}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / 'here.jm').touch()
    (tmp_path / 'hollow').mkdir()
    return tmp_path


@pytest.fixture
def zsh(folder, jobmeter):
    """A function: what stands on the command line of an interactive zsh after a line is typed and Tab is pressed."""
    shell = shutil.which('zsh')
    if not shell:
        pytest.skip('zsh is not installed')
    (folder / '.zshrc').write_text(f'''
fpath=({folder} $fpath) PS1=
autoload -Uz compinit && compinit -u -d {folder}/dump
tell() {{ print -r -- $BUFFER >{folder}/part && mv {folder}/part {folder}/told; BUFFER=; zle redisplay }}
zle -N tell
bindkey '^X' tell
unsetopt always_last_prompt
setopt list_ambiguous no_beep
: >{folder}/ready
''')
    with open(folder / '_jobmeter', 'w') as file:
        subprocess.run([jobmeter, 'completion', 'zsh'], stdout=file, check=True)
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(folder)
        os.execve(shell, ['zsh', '-i'], environment(folder, jobmeter))
    seen = b''

    def wait_for(name):
        nonlocal seen
        end = time.monotonic() + LIMIT
        while not (folder / name).exists():
            assert time.monotonic() < end, seen
            if select.select([fd], [], [], 0.01)[0]:
                seen += os.read(fd, 65536)
        return (folder / name).read_text()

    def type_in(text):
        (folder / 'told').unlink(missing_ok=True)
        os.write(fd, text.encode() + b'\t\x18')
        return wait_for('told').rstrip('\n')

    wait_for('ready')
    yield type_in
    os.close(fd)
    os.waitpid(pid, 0)


@pytest.fixture
def fish(folder, jobmeter):
    """A function: what fish offers for a line."""
    if not shutil.which('fish'):
        pytest.skip('fish is not installed')

    def offered(line):
        done = subprocess.run(['fish', '-c', 'jobmeter completion fish | source; complete -C $argv[1]', line],
                              cwd=folder, env=environment(folder, jobmeter), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=LIMIT)
        assert (done.returncode, done.stderr) == (0, '')
        return [word.split('\t')[0] for word in done.stdout.splitlines()]
    return offered


TYPED = [
    ('jobmeter rep', 'jobmeter report '),
    ('jobmeter --v', 'jobmeter --version '),
    ('jobmeter run --inter', 'jobmeter run --interval='),
    ('jobmeter run -i 1s --over', 'jobmeter run -i 1s --over'),  # --overhead, --overwrite
    ('jobmeter run --summary=s', 'jobmeter run --summary=short '),
    ('jobmeter run --summary s', 'jobmeter run --summary short '),
    ('jobmeter run -i h', 'jobmeter run -i h'),  # a duration, no file
    ('jobmeter run -o he', 'jobmeter run -o here.jm '),
    ('jobmeter run --root h', 'jobmeter run --root hollow/'),
    ('jobmeter run mkfi', 'jobmeter run mkfifo '),
    ('jobmeter run -i 1s -- mkfi', 'jobmeter run -i 1s -- mkfifo '),
    ('jobmeter run -q ls her', 'jobmeter run -q ls here.jm '),
    ('jobmeter run -- ls her', 'jobmeter run -- ls here.jm '),
    ('jobmeter run ls --inter', 'jobmeter run ls --inter'),  # an option of ls by now
    ('jobmeter report her', 'jobmeter report here.jm '),
    ('jobmeter mark --be', 'jobmeter mark --begin '),
    ('jobmeter mark her', 'jobmeter mark her'),
    ('jobmeter doctor her', 'jobmeter doctor her'),
    ('jobmeter completion z', 'jobmeter completion zsh '),
]


@pytest.mark.parametrize('line, whole', TYPED, ids=[line for line, _ in TYPED])
def test_zsh_completes(zsh, line, whole):
    assert zsh(line) == whole


OFFERED = [
    ('jobmeter re', ['report']),
    ('jobmeter run --inter', ['--interval']),
    ('jobmeter run -i 1s --over', ['--overhead', '--overwrite']),
    ('jobmeter run --summary=s', ['--summary=short']),
    ('jobmeter run --summary ', ['full', 'line', 'none', 'short']),
    ('jobmeter run -i h', []),
    ('jobmeter run -o he', ['here.jm']),
    ('jobmeter run --root h', ['hollow/']),
    ('jobmeter run mkfi', ['mkfifo']),
    ('jobmeter run --interval=1s -- mkfi', ['mkfifo']),
    ('jobmeter run -q ls her', ['here.jm']),
    ('jobmeter run -- ls her', ['here.jm']),
    ('jobmeter run ls --inter', []),
    ('jobmeter run true report --form', []),
    ('jobmeter report her', ['here.jm']),
    ('jobmeter mark --b', ['--begin']),
    ('jobmeter mark her', []),
    ('jobmeter doctor her', []),
    ('jobmeter completion ', ['bash', 'fish', 'zsh']),
]


@pytest.mark.parametrize('line, words', OFFERED, ids=[line for line, _ in OFFERED])
def test_fish_offers(fish, line, words):
    assert fish(line) == words
