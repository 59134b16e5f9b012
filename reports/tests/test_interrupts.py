"""What a signal does to ftlab and to what it starts."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator

import pytest

from ftlab import interrupts

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def _handlers_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def _killed_by(number: signal.Signals) -> int:
    """How a process started now ends when it gets this signal."""
    return subprocess.run(["sh", "-c", f"kill -{number.value} $$; exit 0"], check=False).returncode


@pytest.mark.parametrize("first", _ENDING)
def test_the_first_interrupts_and_a_second_does_nothing(first: signal.Signals) -> None:
    interrupts.heed()
    with pytest.raises(KeyboardInterrupt) as stop:
        signal.raise_signal(first)
    assert stop.value.args == (first,)
    for second in _ENDING:
        signal.raise_signal(second)


def test_what_is_started_after_an_interrupt_still_ends_by_a_signal() -> None:
    interrupts.heed()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert [_killed_by(number) for number in _ENDING] == [-number for number in _ENDING]


def test_an_ignored_hangup_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interrupts.heed()
    signal.raise_signal(signal.SIGHUP)
    assert _killed_by(signal.SIGHUP) == 0
