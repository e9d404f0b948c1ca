"""What the tests of manners share. `desk`: as the tests' user and as an ordinary one; `my_desk`: as the tests' user."""
from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from manners import Desk
from measured import may_become_nobody


@pytest.fixture(params=['self', 'nobody'])
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    if request.param == 'nobody' and not may_become_nobody():
        pytest.skip(f'already an ordinary user (uid {os.geteuid()}): the other half of the pair is this test')
    d = Desk(request.param)
    yield d
    d.close()


@pytest.fixture
def my_desk() -> Iterator[Desk]:
    d = Desk('self')
    yield d
    d.close()


@pytest.fixture
def plain_desk() -> Iterator[Desk]:
    """As an ordinary user, who the tests' user may be already."""
    d = Desk('nobody' if may_become_nobody() else 'self')
    yield d
    d.close()
