"""`python -m ftlab COMMAND ...`: the commands of ftlab that this side answers."""

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _end(number: int, _: FrameType | None) -> None:
    # Once: a second one would cut off what cleans up after the first.
    for other in _ENDING:
        signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


def _run() -> int:
    try:
        for number in _ENDING:
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, _end)
        # Here, because the imports take long enough to be interrupted.
        from ftlab.commands import main

        return main(sys.argv[1:])
    except KeyboardInterrupt as stop:
        print("ftlab: interrupted", file=sys.stderr)
        return 128 + (stop.args[0] if stop.args else signal.SIGINT)


def _leave(status: int) -> NoReturn:
    if status > 128:
        # An interrupt within an import makes Python end itself by SIGINT, whatever the status.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


_leave(_run())
