"""The jobs whose figures are held against their truth: every workload, in every mode."""
from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable
from typing import Any

MIB = 1 << 20


@dataclasses.dataclass
class Truth:
    names: Counter[str]  # of all processes, at their ends
    cpu_ns: int = 0  # filled in by who runs the job
    threads: int = 0
    largest_rss: int | None = None  # of one process
    sum_rss: int | None = None  # of all at the peak
    read_chars: int | None = None
    write_chars: int | None = None
    read_bytes: int | None = None
    write_bytes: int | None = None

    @property
    def processes(self) -> int:
        return self.names.total()


@dataclasses.dataclass
class Job:
    name: str
    program: str
    args: list[str]
    truth: Callable[[dict[str, Any]], Truth]  # from what it says itself
    root: bool = False  # needs root
    status: int = 0
    storm: bool = False


def _one(name: str) -> Callable[[dict[str, Any]], Truth]:
    return lambda told: Truth(Counter({name: 1}), threads=told.get('threads', 1))


def _forks(told: dict[str, Any]) -> Truth:
    n, mode = told['children'], told['mode']
    if mode == 'exec':
        return Truth(Counter({'forks': 1, 'exe': n}))
    return Truth(Counter({'forks': 1 + n * (2 if mode == 'daemon' else 1)}), threads=mode == 'thread')


def _io(told: dict[str, Any]) -> Truth:
    return Truth(Counter({'io': told['children'] + 1}), read_chars=told['job_rchar'], write_chars=told['job_wchar'] + told['line_bytes'],
                 read_bytes=told['job_read_bytes'], write_bytes=told['job_write_bytes'])


def _peak(told: dict[str, Any]) -> Truth:
    return Truth(Counter({'peak': told['processes']}), largest_rss=told['largest_rss_bytes'], sum_rss=told['seen_rss_bytes'])


def _names(told: dict[str, Any]) -> Truth:
    return Truth(Counter(['names', bytes.fromhex(told['comm_hex']).decode(errors='replace')]))  # as exports have names


def jobs(quick: bool) -> list[Job]:
    """quick: a storm of 2,000 processes in place of 20,000."""
    found = [
        Job('burn', 'burn', ['--user', '400'], _one('burn')),
        Job('burn, 4 threads', 'burn', ['--user', '80', '--system', '40', '--threads', '4'], _one('burn')),
    ]
    found.append(Job('faults', 'faults', ['--mib', '32', '--rounds', '10'], _one('faults')))
    for mode in ('waited', 'sigchld-ignored', 'nocldwait', 'daemon', 'thread', 'exec', 'chain', 'chain-orphan', 'root-exits-first'):
        found.append(Job(f'forks {mode}', 'forks', [mode, '--n', '30', '--ms', '15'], _forks, status=7 if mode == 'root-exits-first' else 0))
    storm = 2_000 if quick else 20_000
    found += [
        Job(f'forks exec, a storm of {storm:,}', 'forks', ['exec', '--n', str(storm), '--ms', '0'], _forks, storm=True),
        Job('churn', 'churn', ['--rate', '200', '--seconds', '2'], lambda t: Truth(Counter({'churn': t['started'] + 1}))),
        Job('phases', 'phases', ['load:60:64:0:100', 'compute:150:8:0:0', 'write:30:0:16:50'], _one('phases')),
    ]
    for api in ('write', 'pwrite', 'mmap', 'direct', 'read'):
        found.append(Job(f'io {api}', 'io', ['--api', api, '--bytes', '3000001', '--children', '3'], _io))
    for kind, more in {'plain': [], 'in a child': ['--child'], 'shared by 3': ['--shared', '3'],
                       'copied by 3': ['--cow', '3', '--write', '4'], 'of a file': ['--file', 'mapped']}.items():
        found.append(Job(f'peak {kind}', 'peak', ['--mib', '100', '--hold', '250', *more], _peak))
    for protocol in ('tcp', 'udp', 'unix'):
        found.append(Job(f'net {protocol}', 'net', [protocol, '--rounds', '1000'], lambda t: Truth(Counter({'net': 2}))))
    for kind in ('blank', 'paren', 'newline', 'utf8', 'script', 'quote', 'escape', 'empty', 'long'):
        found.append(Job(f'names {kind}', 'names', [kind, '--ms', '20'], _names))
    found += [
        Job('privdrop', 'privdrop', ['--ms', '100'], lambda t: Truth(Counter({'privdrop': 2})), root=True),
        Job('signals', 'signals', ['--exit', '3'], _one('signals'), status=3),
        Job('threads', 'threads', ['--n', '200', '--seconds', '0', '--burn', '1', '--procs', '2'],
            lambda t: Truth(Counter({'threads': 2}), threads=t['threads'])),
        Job('tree', 'tree', ['--n', '20', '--depth', '3', '--seconds', '1', '--wakes', '10'], lambda t: Truth(Counter({'tree': t['processes']}))),
        Job('zombie', 'zombie', ['--n', '5', '--ms', '40', '--hold', '200'], lambda t: Truth(Counter({'zombie': t['children'] + 1}))),
    ]
    return found
