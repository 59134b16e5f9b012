"""The signals that end ftlab."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_words = ""


def say(words: str) -> None:
    """What stands behind "interrupted" from now on: what is left, how to go on."""
    global _words
    _words = words


def last_line() -> str:
    return f"ftlab: interrupted{'; ' if _words else ''}{_words}"


def hold() -> None:
    """They wait, over exec too, until heed()."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """They wait until the end: for steps that belong together, and for imports, in which Python drops an exception
    that comes at the wrong moment. Starts no process, which would inherit that."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def heed() -> None:
    """The first of them raises KeyboardInterrupt with its number; further ones do nothing. What is ignored already,
    as the hangup is under nohup, stays so. The program lets them wait until here (platform/cli/python.cpp)."""
    for number in _ENDING:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)


def _end(number: int, _: FrameType | None) -> None:
    # A second one would cut off what cleans up after the first.
    for other in _ENDING:
        if signal.getsignal(other) == _end:
            signal.signal(other, _nothing)
    raise KeyboardInterrupt(number)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Not SIG_IGN, which a simulation that starts meanwhile inherits: it would survive its SIGTERM."""
