"""The commands that the program hands to Python, each with the packages that it needs beyond those of a report."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Command:
    module: str  # has main(arguments) -> exit status
    extra: str  # of pyproject.toml; empty: none


COMMANDS = {
    "report": Command("ftlab.report.cli", ""),
    "sweep": Command("ftlab.sweeps.cli", "lab"),
}


def main(arguments: Sequence[str]) -> int:
    if not arguments or arguments[0] not in COMMANDS:
        print(f"usage: python -m ftlab {{{','.join(COMMANDS)}}} ...", file=sys.stderr)
        return 2
    name, *rest = arguments
    command = COMMANDS[name]
    try:
        module = importlib.import_module(command.module)
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("ftlab"):
            raise
        extra = f"[{command.extra}]" if command.extra else ""
        print(
            f"ftlab: error: {name} needs the Python package {missing.name}, which {sys.executable} lacks; run "
            f"`./ftlab {name}` in the source tree, which installs it, or `pip install 'ftlab{extra}'`",
            file=sys.stderr,
        )
        return 2
    status: int = module.main(rest)
    return status
