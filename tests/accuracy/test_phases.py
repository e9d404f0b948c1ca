"""Phases, threads and traffic of known cost."""
from __future__ import annotations

import os

from measured import Place
from test_cpu import close_to

MS = 1_000_000
MIB = 1 << 20


def test_each_phase_has_its_own_cpu_memory_and_writes(place: Place) -> None:
    os.environ['JOBMETER_MARK'] = f'{place.dir / "jobmeter"} mark'
    try:
        m = place.run('phases', 'load:150:96:0:100', 'compute:400:8:0:0', 'write:50:0:16:100', options=('-i', '20ms'))
    finally:
        del os.environ['JOBMETER_MARK']
    phases = {p['name']: p for p in m.summary['phases']}
    assert list(phases) == ['load', 'compute', 'write']
    for true in m.truth['phases']:
        phase = phases[true['name']]
        assert phase['begin_ns'] < phase['end_ns']
        # a phase's share of the sample at either edge is divided by time: one interval of one core each, and the two
        # marks' own programs
        slack = 2 * 20 * MS + 0.05 * true['cpu_total_ns'] + 10 * MS
        assert abs(phase['cpu_total_ns'] - true['cpu_total_ns']) <= slack, (phase, true)
    assert phases['load']['peak_rss_bytes']['high'] >= 96 * MIB
    assert phases['compute']['peak_rss_bytes']['low'] < 96 * MIB


def test_many_threads(place: Place) -> None:
    m = place.run('threads', '--n', '50', '--seconds', '1', '--burn', '5')
    # rusage of many threads loses or gains a slice of each: tests/workloads/README.md
    close_to(m.summary['cpu']['total_ns'], m.truth['threads_cpu_ns'], 50, share=0.05)
    assert m.summary['processes']['started'] == 1


def test_traffic_over_the_loopback_is_no_disk_traffic(place: Place) -> None:
    m = place.run('net', 'tcp', '--rounds', '50', '--up', '10000', '--down', '1000')
    io = m.summary['io']
    # what sockets carry through read(2) and write(2) counts as chars; none of it reaches a disk
    assert io['read_chars'] is not None and io['write_chars'] is not None
    assert io['write_bytes'] <= 64 * 1024  # the line of truth, whole pages
    assert m.summary['processes']['started'] == 2
    assert m.summary['network']['sent_bytes'] is None or m.summary['network']['source']
