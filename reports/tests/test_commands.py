"""Commands say which package they need before they begin, those that they import late as well."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ModuleSpec

import pytest

from ftlab import commands
from ftlab.commands import COMMANDS
from ftlab.errors import InputError


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if command.extra])
@pytest.mark.parametrize("package", ["pandas", "scipy", "pyarrow"])
def test_a_package_that_lacks_is_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    there = importlib.util.find_spec

    def find_spec(asked: str) -> ModuleSpec | None:
        return None if asked == package else there(asked)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    monkeypatch.setattr(commands, "_install", lambda _extra: False)
    command = COMMANDS[name]
    with pytest.raises(
        InputError, match=f"{name} needs the Python package {package}, which .* lacks; .*{command.extra}"
    ):
        commands.need(command.module, command.extra, [name])
