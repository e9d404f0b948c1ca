"""Every workload under every tier, as root and as an ordinary user, and under other tools: truth, measured, error.
Writes its part of docs/accuracy.md, between two marks."""
from __future__ import annotations

import dataclasses
import os
import pathlib
import platform
import sys
import time

from accuracy_jobs import Job, Truth, jobs
from accuracy_page import page
from accuracy_tools import Jobmeter, Seen, Tool, measure, tools
from figures import Figure, at_least, at_most

DOCS = pathlib.Path(__file__).resolve().parents[2] / 'docs/accuracy.md'
BEGIN, END = '<!-- made by ./dev bench accuracy -->', '<!-- end of what ./dev bench accuracy made -->'
MS = 1_000_000
TAIL_NS, THREAD_TAIL_NS = 60_000, 12_000  # what the inherited counter lacks of each process and of each thread that ended
# What a process that is marked as a lower bound may lack: of each of its threads the time since the last scheduler tick (HZ=250), and what giving its
# memory back took (9 ms for 100 MiB were seen)
TICK_NS, GIVE_BACK_NS = 4 * MS, MS // 10
STOLEN = 'a hypervisor took CPU time from the machine'


@dataclasses.dataclass
class Cell:
    truth: Truth
    seen: Seen
    stolen_ns: int


Results = dict[str, dict[str, Cell]]  # of a tool, of a job


def stolen_ns() -> int:
    with open('/proc/stat') as file:
        return int(file.readline().split()[8]) * 10 * MS


def lack_allowed(cell: Cell) -> float:
    t = cell.truth
    threads = 1 + t.threads / max(1, t.processes)
    return cell.seen.bounded * (TICK_NS * threads + GIVE_BACK_NS * (t.largest_rss or 0) / 2**20)


def bars(results: Results, all_jobs: list[Job]) -> list[Figure]:
    figures: list[Figure] = []
    storm = next((job.name for job in all_jobs if job.storm), '')
    for name in ('A, root', 'A, user'):
        cells = results.get(name)
        if not cells:
            continue

        def worst(of: dict[str, float]) -> tuple[float, str]:
            job = max(of, key=of.__getitem__, default='none')
            return of.get(job, 0.0), job

        def beyond(error: float, cell: Cell) -> float:
            return max(0.0, abs(error) - 2 * MS) / cell.truth.cpu_ns * 100

        share, job = worst({j: beyond(c.seen.cpu_ns - c.truth.cpu_ns, c) for j, c in cells.items() if c.seen.cpu_ns is not None})
        figures.append(at_most(f'{name}: CPU of the job, error beyond 2 ms', share, 0.2, '%', f'worst: {job}'))
        def unexplained(cell: Cell) -> float:
            error = (cell.seen.parts_ns or 0) - cell.truth.cpu_ns
            return beyond(error if error > 0 else min(0.0, error + lack_allowed(cell)), cell)

        share, job = worst({j: unexplained(c) for j, c in cells.items() if c.seen.parts_ns is not None})
        lacking = sum(max(0, c.truth.cpu_ns - c.seen.parts_ns) for c in cells.values() if c.seen.parts_ns is not None)
        figures.append(at_most(f'{name}: CPU of all processes one by one, error beyond 2 ms and what lower bounds may lack', share, 0.2, '%',
                               f'worst: {job}; a lower bound may lack {TICK_NS // MS} ms a thread and {GIVE_BACK_NS / MS:g} ms a MiB; '
                               f'all jobs together lack {lacking / MS:.1f} of {sum(c.truth.cpu_ns for c in cells.values()) / MS:,.0f} ms'))
        marked, all_of_them = sum(c.seen.bounded for c in cells.values()), sum(c.truth.processes for c in cells.values())
        figures.append(at_most(f'{name}: processes whose CPU is a lower bound', 100 * marked / all_of_them, 0.5, '%', f'{marked:,} of {all_of_them:,}'))
        c = cells.get(storm)
        named = (c.seen.names & c.truth.names).total() if c and c.seen.names else 0
        if c:
            figures.append(at_least(f'{name}: seen with their names in {storm.split(", ")[1]}', named / c.truth.processes * 100, 100, '%',
                                    f'{named:,} of {c.truth.processes:,}; {c.seen.lost} events lost'))
        others = {j: 100 * (1 - (c.seen.names & c.truth.names).total() / c.truth.processes) for j, c in cells.items() if c.seen.names is not None}
        share, job = worst(others)
        figures.append(at_least(f'{name}: seen with their names, worst of all jobs', 100 - share, 100, '%', job if share else ''))
        for what in ('read_chars', 'write_chars', 'read_bytes', 'write_bytes'):
            error, job = worst({j: abs(getattr(c.seen, what) - getattr(c.truth, what)) for j, c in cells.items()
                                if getattr(c.truth, what) is not None and getattr(c.seen, what) is not None})
            if job != 'none':
                figures.append(at_most(f'{name}: {what.replace("_", " ")}, error', error, 0, 'bytes', f'worst: {job}' if error else ''))
        error, job = worst({j: abs(c.seen.largest_rss - c.truth.largest_rss) / 1024 for j, c in cells.items()
                            if c.truth.largest_rss is not None and c.seen.largest_rss is not None})
        if job != 'none':
            figures.append(at_most(f'{name}: high-water mark of the largest process, error', error, 256, 'KiB', f'worst: {job}'))
        share, job = worst({j: 100 - 100 * c.seen.attributed_ns / c.seen.cpu_ns for j, c in cells.items()
                            if c.seen.attributed_ns is not None and c.seen.cpu_ns})
        figures.append(at_least(f'{name}: closure: attributed to a process, of the total', round(100 - share, 1), 100, '%', f'worst: {job}'))
    for name in ('B, root', 'B, user', 'C, user'):
        cells = results.get(name)
        if not cells:
            continue
        of = {}
        for j, c in cells.items():
            # what a hypervisor took while it ran is taken off the counter, which nothing tells from the job's (docs/accuracy.md)
            tail = c.truth.processes * TAIL_NS + c.truth.threads * THREAD_TAIL_NS + c.stolen_ns
            of[j] = max(0.0, abs((c.seen.cpu_ns or 0) - c.truth.cpu_ns) - tail) / c.truth.cpu_ns * 100
        job = max(of, key=of.__getitem__)
        figures.append(at_most(f'{name}: CPU of the job, error beyond the known exit tail and stolen time', of[job], 1, '%', f'worst: {job}'))
    return figures


def run_all(all_tools: list[Tool], all_jobs: list[Job]) -> tuple[Results, dict[str, str], list[str]]:
    results: Results = {}
    refused: dict[str, str] = {}
    failed: list[str] = []
    usable = []
    for tool in all_tools:
        why = tool.refused()
        if why:
            refused[tool.name] = why
        else:
            usable.append(tool)
            results[tool.name] = {}
    for job in all_jobs:
        print(f'  {job.name}', file=sys.stderr, flush=True)
        for tool in usable:
            before = stolen_ns()
            try:
                measured = measure(tool, job)
            except (RuntimeError, OSError, ValueError) as e:
                failed.append(f'{tool.name}, {job.name}: {e}')
                continue
            if measured:
                results[tool.name][job.name] = Cell(measured[0], measured[1], stolen_ns() - before)
    return results, refused, failed


def put_into(docs: pathlib.Path, text: str) -> None:
    old = docs.read_text(encoding='utf-8')
    made = f'{BEGIN}\n{text}{END}\n'
    if BEGIN in old:
        docs.write_text(old[:old.index(BEGIN)] + made + old[old.index(END) + len(END) + 1:], encoding='utf-8')
    else:
        docs.write_text(old.rstrip('\n') + '\n\n' + made, encoding='utf-8')


def run(quick: bool = False, only: str = '', write: bool = True) -> list[Figure]:
    if os.geteuid() != 0:
        raise SystemExit('./dev bench accuracy: needs root: it compares with control groups, and measures as root and as an ordinary user')
    load, begin = os.getloadavg()[0], time.monotonic()
    all_jobs = [job for job in jobs(quick) if job.name.startswith(only)]
    all_tools = tools()
    results, refused, failed = run_all(all_tools, all_jobs)
    figures = bars(results, all_jobs)
    stolen = sum(c.stolen_ns for cells in results.values() for c in cells.values())
    machine = f'{os.cpu_count()} CPUs, Linux {platform.release()}; load average before it began: {load:.1f}'
    if stolen:
        machine += f'; {STOLEN}: {stolen / 1e9:.2f} s in all'
    text = page(figures, results, all_jobs, [t.name for t in all_tools if isinstance(t, Jobmeter)], refused, failed, machine, time.monotonic() - begin)
    if write:
        put_into(DOCS, text)
    else:
        print(text)
    return figures
