"""Axes of an experiment or a paper, and the keys of a study that their values set."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ftlab.nearest import meant
from ftlab.program import listing
from ftlab.reproduce.fields import Fields
from ftlab.reproduce.spec import Axis, AxisValue, Settings
from ftlab.runs import ALL_KEYS, BARE_KEY
from ftlab.toml_source import SourceFile
from ftlab.values import ValueRefusedError, flattened, plain

# Keys whose value may be a file beside the experiment.
_PATHS = ("part", "host", "workload.scenario", "workload.path")


class AxisFields(Fields):
    """`folder`: where files that a study names are looked for."""

    def __init__(self, source: SourceFile, folder: Path) -> None:
        super().__init__(source)
        self._folder = folder
        self._keys = {str(row["key"]) for row in listing("keys")}

    def _axis(self, name: str, table: Any) -> Axis:
        key = f"axes.{name}"
        self._only(key, table, ("title", "values", "column"))
        given = table.get("values")
        if not isinstance(given, list) or not given:
            raise self._at.refuse(f"{key}.values", "must be a list of values, such as [{ name = 'cat', set = {} }]")
        values = [self._axis_value(key, value) for value in given]
        names = [value.name for value in values]
        for twice in names:
            if names.count(twice) > 1:
                raise self._at.refuse(f"{key}.values", f"{twice} is there twice")
        column = self._flag(table, "column", True, key)
        return Axis(name, self._text(table, "title", name, key), tuple(values), column)

    def _axis_value(self, axis: str, given: Any) -> AxisValue:
        key = f"{axis}.values"
        self._only(key, given, ("name", "title", "set", "row"))
        name = self._text(given, "name", None, key)
        settings = self._settings(key, given.get("set", {}))
        return AxisValue(name, self._text(given, "title", name, key), settings, self._flag(given, "row", True, key))

    def _settings(self, key: str, given: Any) -> Settings:
        if not isinstance(given, dict):
            raise self._at.refuse(key, "must be a table of the study's keys")
        try:
            flat = {name: plain(value) for name, value in flattened(given).items() if value != {}}
        except ValueRefusedError as problem:
            raise self._at.refuse(key, str(problem)) from None
        for name, value in flat.items():
            free = any(known.endswith(".*") and name.startswith(known[:-1]) for known in self._keys)
            if (name not in self._keys and not free) or name == "seed" or not BARE_KEY.fullmatch(name):
                hint = "; seeds are counted by --seeds" if name == "seed" else meant(name, self._keys, ALL_KEYS)
                raise self._at.refuse(f"{key}.{name}", f"is no key of a study{hint}")
            if name in _PATHS and isinstance(value, str) and value:
                flat[name] = self._found(value)
        return flat

    def _found(self, name: str) -> str:
        """A file beside the experiment, or a trace of the user's; the name itself where there is none."""
        folders = [self._folder, *(Path(folder) for folder in [os.environ.get("FTLAB_TRACE_DIR")] if folder)]
        return next((str((folder / name).absolute()) for folder in folders if (folder / name).is_file()), name)
