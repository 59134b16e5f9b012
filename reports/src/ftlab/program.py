"""Which program simulates, and how it is asked. A simulation ends with this process, unless that ignores SIGTERM."""

from __future__ import annotations

import errno
import functools
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ftlab.errors import InputError, RunError

# platform/files/end_with_parent.h: the program ends with the process of this number.
_DIE_WITH_PARENT = "FTLAB_DIE_WITH_PARENT"
# platform/cli/progress.h: lines for a program that shows how far a run is.
_WANTS_PROGRESS = "FTLAB_PROGRESS"
_PROGRESS = "ftlab: progress: "
# The program as the user typed it.
_TYPED = "FTLAB_COMMAND"
REFUSED = 2
MAX_SEED = 9 * 10**15  # whole numbers up to here survive a double
ENDED_EARLY = 3
_NOT_STARTED = 70
_NOTE = "ftlab: note: "
_under_way: set[subprocess.Popen[str]] = set()


@functools.cache
def program() -> Path:
    """`$FTLAB_PROGRAM`, else the release build of this checkout, else `ftlab` on the PATH."""
    given = os.environ.get("FTLAB_PROGRAM")
    built = Path(__file__).resolve().parents[3] / "build" / "release" / "ftlab"
    found = given or (str(built) if built.exists() else shutil.which("ftlab"))
    if found is None:
        raise InputError(
            "the program ftlab is neither built here nor on the PATH; run `./ftlab --version` in the source tree once, "
            "or name it by FTLAB_PROGRAM"
        )
    if not Path(found).is_file() or not os.access(found, os.X_OK):
        raise InputError(f"FTLAB_PROGRAM={found}: is no program")
    return Path(found).resolve()


def typed() -> str:
    """For hints, which have to work where the user stands."""
    return os.environ.get(_TYPED) or "ftlab"


@functools.cache
def digest() -> str:
    """SHA-256 of the program: results of two builds may differ."""
    return hashlib.sha256(program().read_bytes()).hexdigest()


def _environment() -> dict[str, str]:
    return {**os.environ, _DIE_WITH_PARENT: str(os.getpid())}


def _reason_of(stderr: str, status: int) -> str:
    """The program's own line without its name; or how it ended."""
    if status < 0:
        return f"ended by signal {-status}"
    lines = [line for line in stderr.strip().splitlines() if line]
    errors = [line for line in lines if line.startswith("ftlab: ")] or lines
    return errors[-1].removeprefix("ftlab: ").removeprefix("error: ") if errors else f"exit status {status}"


def simulate(
    study: Path,
    settings: Sequence[str],
    out: Path,
    more: Sequence[str] = (),
    progress: Callable[[float], None] | None = None,
) -> list[str]:
    """One simulation into the folder `out`; `settings` are KEY=VALUE with TOML values, `more` further words of its
    command line; `progress` hears how far it is, 0..1. What the program noted: keys without effect, keys that have
    another name now.

    Raises RunError when there is no result. A device that wears out early leaves one.
    """
    # One seed, also of a result with several that is repeated.
    words = [str(program()), "run", str(study), "--seeds", "1", "--out", str(out), *more]
    for setting in settings:
        words += ["--set", setting]
    try:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True, errors="replace", env=_environment() | ({_WANTS_PROGRESS: "1"} if progress else {}),
        )  # fmt: skip
    except (OSError, ValueError) as error:
        # Settings too long for a command line are the study's fault; what else keeps a process from starting is not.
        refused = isinstance(error, ValueError) or error.errno == errno.E2BIG
        raise RunError(f"cannot be started ({error})", REFUSED if refused else _NOT_STARTED) from None
    with process:
        _under_way.add(process)
        try:
            stderr = _read(process, progress)
        except BaseException:
            # It would write on into a folder that is about to go.
            process.terminate()
            process.wait()
            raise
        finally:
            _under_way.discard(process)
    if process.returncode not in (0, ENDED_EARLY):
        raise RunError(_reason_of(stderr, process.returncode), process.returncode)
    return _notes_of(stderr)


def _read(process: subprocess.Popen[str], progress: Callable[[float], None] | None) -> str:
    """What the program says until it ends, but for how far it is."""
    if progress is None:
        return process.communicate()[1]
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        if line.startswith(_PROGRESS):
            progress(float(line.removeprefix(_PROGRESS)))
        else:
            said.append(line)
    process.wait()
    return "".join(said)


def _notes_of(stderr: str) -> list[str]:
    return [line.removeprefix(_NOTE) for line in stderr.splitlines() if line.startswith(_NOTE)]


def terminate_simulations() -> None:
    """Whoever waits for one gets a RunError."""
    for process in list(_under_way):
        process.terminate()


def answer(*words: str) -> str:
    """What `ftlab WORD...` prints. Raises RunError with its own line when it refuses."""
    return answer_with_notes(*words)[0]


def answer_with_notes(*words: str) -> tuple[str, list[str]]:
    done = subprocess.run(
        [str(program()), *words], stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, env=_environment(),
    )  # fmt: skip
    if done.returncode != 0:
        raise RunError(_reason_of(done.stderr, done.returncode), done.returncode)
    return done.stdout, _notes_of(done.stderr)


@functools.cache
def listing(command: str, *arguments: str) -> tuple[dict[str, Any], ...]:
    """What `ftlab COMMAND ARGUMENT... --json` lists: one object for each row."""
    return tuple(json.loads(answer(command, *arguments, "--json")))


def listing_with(columns: Sequence[str], command: str) -> tuple[dict[str, Any], ...]:
    """What `listing` gives, with these columns in each row. Raises InputError for a program of another version than
    this package, whose rows lack one."""
    rows = listing(command)
    if all(column in row for row in rows for column in columns):
        return rows
    raise InputError(
        f"{program()}: is of another version than the Python package of ftlab; use both of one version (FTLAB_PROGRAM "
        "names the program)"
    )
