"""`python -m ftlab COMMAND ...`: the commands of ftlab that this side answers."""

import contextlib
import os
import signal
import sys
from typing import NoReturn

from ftlab import interrupts, made_folders


def _run() -> int:
    try:
        # The program that started this one holds them as well.
        interrupts.hold()
        from ftlab.commands import main, prepare_last_line

        prepare_last_line(sys.argv[1:])
        try:
            interrupts.heed()
            try:
                return main(sys.argv[1:])
            finally:
                interrupts.hold()
        except KeyboardInterrupt as stop:
            print(interrupts.last_line(), file=sys.stderr)
            return 128 + (stop.args[0] if stop.args else signal.SIGINT)
    finally:
        made_folders.remove_unused()


def _leave(status: int) -> NoReturn:
    if status > 128:
        # An interrupt within an import makes Python end itself by SIGINT, whatever the status.
        with contextlib.suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


_leave(_run())
