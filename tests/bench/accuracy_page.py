"""The part of docs/accuracy.md that is measured."""
from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Any

from figures import Figure, table

HEAD = """## Held against the truth

Made by `./dev bench accuracy` on {date} in {seconds:.0f} s: {machine}.{loaded} Every workload of `tests/workloads`, once under each tool. Samples every 0.1 s;
pidstat every second, its shortest interval. "A, root" is jobmeter at tier A as root, "C, user" at tier C as uid 65534, and so on; other tools run as root, pidstat's job as a user
of its own, as it tells jobs by nothing else. The true CPU time is the kernel's count of a control group that holds the job alone and that no tool reads; the true bytes are the job's own
`/proc/self/io` with its last look included; memory is `smaps_rollup` at the peak. Cells are measured, and the error against the truth
of that very run (the truth that is shown is of the first); `-`: this tool does not tell, or cannot do that job as this user.
"""


def md(rows: Sequence[Sequence[str]]) -> str:
    head, *rest = rows
    lines = ['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)]
    return '\n'.join(lines + ['| ' + ' | '.join(row) + ' |' for row in rest])


def grid(title: str, results: dict[str, Any], jobs: Sequence[Any], truth: Callable[[Any], Any], cell: Callable[[Any, Any], str]) -> str:
    """A row for each job that has such a truth, a column for each tool that tells one of them. The truth shown is of the first run."""
    rows = []
    for job in jobs:
        cells = {tool: of.get(job.name) for tool, of in results.items()}
        known = [c for c in cells.values() if c is not None]
        if not known or truth(known[0]) is None:
            continue
        rows.append([job.name, truth(known[0]), *('-' if c is None else cell(c.truth, c.seen) for c in cells.values())])
    if not rows:
        return ''
    columns = [0, 1, *(i for i in range(2, len(results) + 2) if any(row[i] != '-' for row in rows))]
    head = ['job', 'truth', *results]
    return f'### {title}\n\n' + md([[head[i] for i in columns], *([row[i] for i in columns] for row in rows)]) + '\n'


def cpu_cell(t: Any, s: Any) -> str:
    if s.cpu_ns is None:
        return '-'
    error = s.cpu_ns - t.cpu_ns
    return f'{s.cpu_ns / 1e6:.1f} ({100 * error / t.cpu_ns:+.1f} %)'


def processes_cell(t: Any, s: Any) -> str:
    if s.names is None:
        return '-'
    named = (s.names & t.names).total()
    more = s.names.total() - named
    return f'{named:,}' + (f' and {more:,} under other names' if more else '')


def largest_cell(t: Any, s: Any) -> str:
    if s.largest_rss is None:
        return '-'
    return f'{s.largest_rss / 2**20:.1f} ({(s.largest_rss - t.largest_rss) / 1024:+,.0f} KiB)'


def sum_cell(t: Any, s: Any) -> str:
    if s.sum_rss is None:
        return '-'
    low, high = s.sum_rss
    error = low - t.sum_rss if low > t.sum_rss else min(0, high - t.sum_rss)
    shown = f'{low / 2**20:.1f}' if low == high else f'{low / 2**20:.1f} to {high / 2**20:.1f}'
    return f'{shown} ({error / 1024:+,.0f} KiB)' if error else f'{shown} (holds it)'


def bytes_cells(what: str) -> tuple[Callable[[Any], Any], Callable[[Any, Any], str]]:
    def truth(c: Any) -> Any:
        value = getattr(c.truth, what)
        return None if value is None else f'{value:,}'

    def cell(t: Any, s: Any) -> str:
        value = getattr(s, what)
        if value is None:
            return '-'
        error = value - getattr(t, what)
        return f'{value:,} ({error:+,})' if error else 'exact'

    return truth, cell


def page(figures: Sequence[Figure], results: dict[str, Any], jobs: Sequence[Any], ours: Sequence[str], refused: dict[str, str], failed: Sequence[str],
         machine: str, seconds: float) -> str:
    loaded = ' **The machine was busy with other work; these figures are for direction only.**' if _load(machine) > 1.5 else ''
    parts = [HEAD.format(date=datetime.date.today().isoformat(), seconds=seconds, machine=machine, loaded=loaded), table(figures) + '\n']
    notes = [f'* {name}: not here. {why}' for name, why in refused.items()] + [f'* **failed**: {why}' for why in failed]
    if notes:
        parts.append('\n'.join(notes) + '\n')
    parts.append(grid('CPU time of the job, ms', results, jobs, lambda c: f'{c.truth.cpu_ns / 1e6:.1f}', cpu_cell))
    parts.append(grid('Processes seen, under the names that they had at their ends', results, jobs, lambda c: f'{c.truth.processes:,}', processes_cell))
    parts.append(grid('Resident memory of the largest process at its peak, MiB', results, jobs,
                      lambda c: None if c.truth.largest_rss is None else f'{c.truth.largest_rss / 2**20:.1f}', largest_cell))
    parts.append(grid('Resident memory of all processes together at the peak, MiB', results, jobs,
                      lambda c: None if c.truth.sum_rss is None else f'{c.truth.sum_rss / 2**20:.1f}', sum_cell))
    for what, title in {'read_chars': 'Bytes read by system calls', 'write_chars': 'Bytes written by system calls', 'read_bytes': 'Bytes read from disks',
                        'write_bytes': 'Bytes written to disks'}.items():
        parts.append(grid(title, results, jobs, *bytes_cells(what)))
    return '\n'.join(part for part in parts if part)


def _load(machine: str) -> float:
    return float(machine.split('load average before it began: ')[1].split(';')[0])
