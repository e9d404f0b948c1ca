"""I/O of exited children, to the byte."""
from __future__ import annotations

import os

import pytest
from measured import Place


@pytest.mark.parametrize('children', [1, 7])
def test_io_of_exited_children_is_exact(place: Place, children: int) -> None:
    size = 300_001
    m = place.run('io', '--bytes', str(size), '--children', str(children), options=('-i', '1s'))
    io = m.summary['io']
    # the root's own share: its line of truth, and what the dynamic loader reads before main, the same in both runs
    assert io['write_chars'] == m.truth['io_wchar'] + m.truth_bytes
    empty = place.run('io', '--bytes', '1', '--children', '1', options=('-i', '1s'))
    loader = empty.summary['io']['read_chars'] - empty.truth['io_rchar']
    # each child looks at its own io file last: those bytes are not in its truth, and the same for each but for digits
    looks = io['read_chars'] - loader - m.truth['io_rchar']
    assert abs(looks) <= children * 200
    # the root's line of truth dirties one page of a file system that has a disk
    assert io['write_bytes'] in (m.truth['io_write_bytes'], m.truth['io_write_bytes'] + os.sysconf('SC_PAGE_SIZE'))


def test_written_bytes_of_storage(place: Place) -> None:
    m = place.run('io', '--bytes', '1000000', '--children', '3', '--fsync')
    assert m.summary['io']['write_bytes'] >= m.truth['page_write_bytes'] or m.truth['io_write_bytes'] == 0
