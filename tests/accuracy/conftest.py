"""Every accuracy test runs twice: as the user who runs the tests, and as one without any right."""
from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from measured import Place, may_become_nobody


@pytest.fixture(params=['self', 'nobody'])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    if request.param == 'nobody' and not may_become_nobody():
        pytest.skip(f'already an ordinary user (uid {os.geteuid()}): the other half of the pair is this test')
    p = Place(request.param)
    yield p
    p.close()
