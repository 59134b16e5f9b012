"""Command lines of the Python side: mistakes are one line, as on the other side."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ftlab.errors import InputError
from ftlab.nearest import meant


def given_path(text: str) -> Path:
    """For `type`: an empty name would stand for the folder that the command runs in."""
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return Path(text)


class Parser(argparse.ArgumentParser):
    """`prog` is "ftlab COMMAND"; the epilog keeps its lines."""

    def __init__(self, prog: str, description: str, epilog: str = "") -> None:
        raw = argparse.RawDescriptionHelpFormatter
        super().__init__(
            prog=prog, description=description, epilog=epilog or None, formatter_class=raw, allow_abbrev=False
        )

    def add_settings(self, about: str) -> None:
        """`--set KEY=VALUE`, any number of them, as `settings`."""
        self.add_argument("--set", metavar="KEY=VALUE", action="append", default=[], dest="settings", help=about)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see `{self.prog} --help`")

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Raises InputError for what it does not know, before it misses what that stands for."""
        known = [name for action in self._actions for name in action.option_strings]
        for word in arguments:
            name = word.partition("=")[0]
            is_option = name.startswith("-") and len(name) > 1 and not name[1].isdigit()
            if is_option and name not in known:
                raise InputError(f"unknown option '{name}'{meant(name, known, f'see `{self.prog} --help`')}")
        return self.parse_args(arguments)
