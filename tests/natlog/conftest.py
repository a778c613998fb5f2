"""A limit, kept from outside, for tests whose point is that something ends."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

SECONDS = 300
"""Such tests take a few seconds; what is still at work after this has met something without an end."""


@pytest.fixture
def ends() -> Iterator[None]:
    """Stop a test that is still at work after :data:`SECONDS`."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"still at work after {SECONDS} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
