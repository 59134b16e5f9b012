"""Which program simulates, and how it is asked. A process is killed with this one, however this one ends."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ftlab.errors import InputError, RunError

# The program reads this when it starts (platform/files/cleanup_on_signal.h).
_DIE_WITH_PARENT = "FTLAB_DIE_WITH_PARENT"
_ENDED_EARLY = 3


@functools.cache
def program() -> Path:
    """`$FTLAB_PROGRAM`, else the release build of this checkout, else `ftlab` on the PATH."""
    given = os.environ.get("FTLAB_PROGRAM")
    built = Path(__file__).resolve().parents[3] / "build" / "release" / "ftlab"
    found = given or (str(built) if built.exists() else shutil.which("ftlab"))
    if found is None or not os.access(found, os.X_OK):
        raise InputError(
            f"FTLAB_PROGRAM={given}: is no program"
            if given
            else "the program ftlab is neither built here nor on the PATH; run `./ftlab --version` in the source tree "
            "once, or name it by FTLAB_PROGRAM"
        )
    return Path(found).resolve()


def environment() -> dict[str, str]:
    return {**os.environ, _DIE_WITH_PARENT: str(os.getpid())}


def reason_of(stderr: str, status: int) -> str:
    """The program's own line without its name; or what became of it."""
    lines = [line for line in stderr.strip().splitlines() if line]
    if status < 0:
        return f"ended by signal {-status}"
    errors = [line for line in lines if line.startswith("ftlab: ")] or lines
    return errors[-1].removeprefix("ftlab: ").removeprefix("error: ") if errors else f"exit status {status}"


def simulate(study: Path, settings: Sequence[str], out: Path) -> None:
    """One simulation into the folder `out`; `settings` are KEY=VALUE with TOML values.

    Raises RunError when there is no result. A device that wears out early leaves one.
    """
    words = [str(program()), "run", str(study)]
    for setting in settings:
        words += ["--set", setting]
    done = subprocess.run(
        [*words, "--out", str(out)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, check=False, env=environment(),
    )  # fmt: skip
    if done.returncode not in (0, _ENDED_EARLY):
        raise RunError(reason_of(done.stderr, done.returncode), done.returncode)


def listing(command: str) -> list[dict[str, Any]]:
    """What `ftlab COMMAND --json` lists: one object for each row."""
    done = subprocess.run(
        [str(program()), command, "--json"], capture_output=True, text=True, check=False, env=environment()
    )
    if done.returncode != 0:
        raise InputError(reason_of(done.stderr, done.returncode))
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


@functools.cache
def version() -> str:
    return subprocess.run([str(program()), "--version"], capture_output=True, text=True, check=True).stdout.strip()
