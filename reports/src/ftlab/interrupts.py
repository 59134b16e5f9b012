"""The signals that end ftlab."""

import signal
from types import FrameType

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
