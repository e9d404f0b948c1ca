"""Peaks against the workloads' own figures."""
from __future__ import annotations

from measured import Place

MIB = 1 << 20
# per-CPU batches of the kernel's RSS counters (32 pages a counter and CPU), and the program's own pages
BATCH = 2 * MIB


def test_a_peak_of_300_mib_for_150_ms_is_found_at_one_sample_a_second(place: Place) -> None:
    m = place.run('peak', '--mib', '300', '--hold', '150', options=('-i', '1s'))
    peak = m.summary['memory']['peak_rss_bytes']
    true = m.truth['vm_hwm_bytes']
    assert abs(peak['low'] - true) <= BATCH
    assert abs(peak['high'] - true) <= BATCH


def test_the_launcher_is_not_in_the_peak(place: Place) -> None:
    m = place.run('burn', '--user', '5')
    # this test's Python and jobmeter are larger; the program itself stays below 2 MiB
    assert m.summary['memory']['peak_rss_bytes']['high'] < 3 * MIB


def test_a_peak_in_a_child(place: Place) -> None:
    m = place.run('peak', '--mib', '200', '--hold', '400', '--child', options=('-i', '50ms'))
    peak = m.summary['memory']['peak_rss_bytes']
    assert peak['low'] >= 200 * MIB
    assert peak['high'] >= peak['low']
    assert m.summary['memory']['largest_process_rss_bytes'] >= 200 * MIB


def test_shared_memory_is_counted_once_in_pss(place: Place) -> None:
    m = place.run('peak', '--mib', '64', '--hold', '1500', '--shared', '3', options=('-i', '100ms', '--overhead', '50'))
    memory, truth = m.summary['memory'], m.truth
    slack = 8 * MIB  # each process has about 1.3 MiB of its own and of shared libraries
    assert memory['peak_rss_bytes']['high'] >= truth['sum_rss_bytes']
    # read one after the other while the pages find their second and third user: at most 1 + 1/2 + 1/3 of the truth
    # (docs/accuracy.md); never less
    true = truth['sum_pss_bytes']
    assert true - slack <= memory['peak_pss_bytes'] <= true * (1 + 1 / 2 + 1 / 3) + slack
    assert abs(memory['peak_uss_bytes'] - truth['sum_uss_bytes']) <= slack
