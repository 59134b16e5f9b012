"""What may stand where on the command lines that Python answers; the program's own __complete asks for it."""

from __future__ import annotations

import contextlib
import importlib
import io
import re
from collections.abc import Sequence

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def main(arguments: Sequence[str]) -> int:
    """`arguments`: the command and what follows it, the last word unfinished. Prints a candidate a line."""
    from ftlab.commands import COMMANDS

    name = arguments[0]
    found = _options(COMMANDS[name].module) if name in COMMANDS else []
    if name == "reproduce":
        from ftlab.reproduce.library import names

        found = [*names(), *found]
    print("\n".join(found))
    return 0


def _options(module: str) -> list[str]:
    """As its help has them."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit, ModuleNotFoundError):
        importlib.import_module(module).main(["--help"])
    return list(dict.fromkeys(_OPTION.findall(text.getvalue().partition("examples:")[0])))
