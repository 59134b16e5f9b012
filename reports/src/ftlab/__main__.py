"""`python -m ftlab COMMAND ...`: the commands of ftlab that this side answers."""

import contextlib
import os
import signal
import sys
from typing import NoReturn

from ftlab import interrupts, made_folders


def _run() -> int:
    try:
        interrupts.heed()
        # Here, because the imports take long enough to be interrupted.
        from ftlab.commands import main

        return main(sys.argv[1:])
    except KeyboardInterrupt as stop:
        print("ftlab: interrupted", file=sys.stderr)
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
