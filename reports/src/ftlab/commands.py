"""The commands that the program hands to Python, each with the packages that it needs beyond those of a report."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ftlab import interrupts
from ftlab.errors import InputError


@dataclass(frozen=True)
class Command:
    module: str  # has main(arguments) -> exit status
    extra: str  # of pyproject.toml; empty: none
    interrupted: str = ""  # for interrupts.say() until it knows better


_RESUMES = "the same command resumes it"
_NOTHING = "nothing was written; the same command starts anew"
COMMANDS = {
    "complete": Command("ftlab.completion", ""),
    "explain": Command("ftlab.explain.cli", "lab", _NOTHING),
    "main-study": Command("ftlab.main_study", ""),
    "on-parts": Command("ftlab.on_parts", "", _NOTHING),
    "optimize": Command("ftlab.sweeps.optimize", "full", _RESUMES),
    "profile": Command("ftlab.profile.cli", ""),
    "report": Command("ftlab.report.cli", ""),
    "reproduce": Command("ftlab.reproduce.cli", ""),
    "seeds": Command("ftlab.seeds", "lab"),
    "sweep": Command("ftlab.sweeps.cli", "lab", _RESUMES),
    "timeline": Command("ftlab.explain.timeline_cli", "lab", _NOTHING),
}

# Packages of an extra that modules import where they use them, not where they begin. The first that lacks is named.
_LATE = {"lab": ("pandas", "pyarrow", "scipy"), "full": ("pandas", "pyarrow", "scipy", "optuna")}

_MAKE_VENV = Path(__file__).resolve().parents[2] / "make-venv"
_INSTALLED = "FTLAB_INSTALLED_EXTRA"
# platform/cli/cmd_run.cpp
_LAST_WORDS = "FTLAB_LAST_WORDS"


def _install(extra: str) -> bool:
    """Whether the source tree's own environment has now what the extra names; any other is its owner's."""
    own = Path(os.environ.get("FTLAB_VENV") or _MAKE_VENV.parents[1] / ".venv")
    if not extra or not _MAKE_VENV.exists() or Path(sys.prefix).resolve() != own.resolve():
        return False
    return subprocess.run([str(_MAKE_VENV), f"--{extra}"], stdout=subprocess.DEVNULL, check=False).returncode == 0


def need(module: str, extra: str, arguments: Sequence[str]) -> None:
    """Installs what the extra names when the module is missing, and starts anew. Raises InputError where that fails."""
    try:
        with interrupts.held():
            importlib.import_module(module)
            for package in _LATE.get(extra, ()):
                if importlib.util.find_spec(package) is None:
                    raise ModuleNotFoundError(name=package)
        return
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.split(".")[0] == "ftlab":
            raise
        lacking = missing.name
    # Once: an environment that lacks it even then would be made for ever.
    if os.environ.get(_INSTALLED) != extra and _install(extra):
        os.environ[_INSTALLED] = extra
        sys.stdout.flush()
        interrupts.hold()
        os.execv(sys.executable, [sys.executable, "-P", "-m", "ftlab", *arguments])
    raise InputError(
        f"{arguments[0]} needs the Python package {lacking}, which {sys.executable} lacks; {how_to_install(extra)}"
    )


def how_to_install(extra: str) -> str:
    """With the lock beside the package, where there is one: in the source tree, and in an installation."""
    lock = _MAKE_VENV.parent / f"requirements{'-' if extra else ''}{extra}.lock"
    what = f"-r {lock}" if lock.exists() else f"'ftlab[{extra}]'" if extra else "ftlab"
    made = f"`python3 -m venv DIR && DIR/bin/pip install {what}` installs it"
    return f"{made}, and FTLAB_PYTHON=DIR/bin/python names that Python"


def prepare_last_line(arguments: Sequence[str]) -> None:
    """Of the command that begins, should it be interrupted: what the program says, else what the command does."""
    known = COMMANDS[arguments[0]].interrupted if arguments and arguments[0] in COMMANDS else ""
    interrupts.say(os.environ.get(_LAST_WORDS) or known)


def main(arguments: Sequence[str]) -> int:
    """The exit status. Every mistake of the user's, and of the machine's, is one line on stderr."""
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m ftlab {{{','.join(COMMANDS)}}} ...", file=sys.stderr)
        return 2
    name, *rest = arguments
    command = COMMANDS[name]
    try:
        need(command.module, command.extra, arguments)
        status: int = importlib.import_module(command.module).main(rest)
        sys.stdout.flush()
        return status
    except InputError as error:
        print(f"ftlab: error: {error}", file=sys.stderr)
    except BrokenPipeError:
        # Who reads has seen enough. What would be flushed at exit goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = error.filename or "standard output"
        print(f"ftlab: error: {where}: {error.strerror or error}", file=sys.stderr)
        if error.filename is None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2
