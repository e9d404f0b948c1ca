"""Peaks against the workloads' own figures."""
from __future__ import annotations

import pytest
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


def within_what_a_sum_may_be_off(value: int, true: int) -> bool:
    # docs/accuracy.md: readings of one moment, counted as true when they cannot be off by more than this
    return abs(value - true) <= true / 50 + MIB


# With the usual budget a pass over 200 MiB waits for its money: half a second's worth is 5 ms.
@pytest.mark.parametrize('options', [('-i', '100ms', '--overhead', '50'), ('-i', '500ms')], ids=['often', 'usual budget'])
def test_shared_memory_is_counted_once_in_pss(place: Place, options: tuple[str, ...]) -> None:
    m = place.run('peak', '--mib', '64', '--hold', '3000', '--shared', '3', options=options)
    memory, truth = m.summary['memory'], m.truth
    assert memory['peak_rss_bytes']['high'] >= truth['sum_rss_bytes']
    # while the pages find their second and third user, and lose them again at the end, there is never more than this;
    # the processes have read their own figures when all had touched all
    assert within_what_a_sum_may_be_off(memory['peak_pss_bytes'], truth['seen_pss_bytes'])
    assert 'sampled' in m.summary['quality']['sources']['memory.peak_pss_bytes']
    # pages that only one of them has touched yet, or still has, are private to it for that moment
    assert memory['peak_uss_bytes'] <= memory['peak_pss_bytes']


def test_a_parent_at_rest_is_read_again_when_its_children_write_what_they_share(place: Place) -> None:
    m = place.run('peak', '--mib', '64', '--hold', '3000', '--cow', '3', '--write', '32',
                  options=('-i', '100ms', '--overhead', '50'))
    memory, truth = m.summary['memory'], m.truth
    assert within_what_a_sum_may_be_off(memory['peak_pss_bytes'], truth['seen_pss_bytes'])
    # what each process has of its own before it begins comes on top
    own = truth['processes'] * truth['base_bytes']
    assert truth['sum_uss_bytes'] - MIB <= memory['peak_uss_bytes'] <= truth['sum_uss_bytes'] * 1.02 + MIB + own
    assert 'sampled' in m.summary['quality']['sources']['memory.peak_uss_bytes']
