"""One run from Python."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.places import folder_of
from ftlab.program import simulate
from ftlab.result import Result, read_result
from ftlab.values import ValueRefusedError, flattened, plain, toml
from ftlab.write import write_whole

ALL_KEYS = "`ftlab keys` lists all"
# As `ftlab run --set` takes them.
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*")
_MARK = "# The study that ftlab.run was given; the result beside it names this file.\n"


def setting(key: str, value: Any) -> str:
    """KEY=VALUE as `ftlab run --set` takes it."""
    return f"{key}={toml(value)}"


def settings_of(tree: Mapping[str, Any]) -> dict[str, Any]:
    """Keys with dots, and plain values. Raises InputError for what TOML cannot hold."""
    found = {}
    try:
        flat = flattened(tree)
    except ValueRefusedError as problem:
        raise InputError(str(problem)) from None
    for key, value in flat.items():
        try:
            found[key] = plain(value)
        except ValueRefusedError as problem:
            raise InputError(f"{key}: {problem}") from None
        if not BARE_KEY.fullmatch(key):
            raise InputError(f"{key}: is no key of a study; {ALL_KEYS}")
    return found


def _write_study(file: Path, settings: Mapping[str, Any]) -> None:
    """Raises InputError for a study that somebody else wrote."""
    if file.exists() and not file.read_text(encoding="utf-8", errors="replace").startswith(_MARK):
        raise InputError(f"{file}: is no study of ftlab.run, which would replace it; choose another `out`")
    write_whole(file, _MARK + "".join(f"{key} = {toml(value)}\n" for key, value in settings.items()))


def run(
    study: str | Path | Mapping[str, Any] | None = None, *, out: str | Path | None = None, **overrides: Any
) -> Result:
    """Simulates once.

    `study` is a study file, a result.json to repeat, or a tree of keys; without one every key has its default.
    Overrides are keys of the study, with two underscores for the dot: `ftl__selection="greedy"`. `out` keeps the folder
    with the result. Raises RunError with the program's own line when it refuses.
    """
    if study is not None and not isinstance(study, str | Path | Mapping):
        raise InputError(f"{study!r} is no study; give the path of one, or a tree of keys")
    given = dict(study) if isinstance(study, Mapping) else {}
    settings = settings_of(given) | settings_of({key.replace("__", "."): value for key, value in overrides.items()})
    kept = None if out is None else folder_of(out, "out")
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = kept or Path(scratch) / "out"
        if isinstance(study, str | Path):
            file = Path(study)
        else:
            file = folder / "study.toml"  # beside the result that names it
            _write_study(file, settings)
            settings = {}
        simulate(file, [setting(key, value) for key, value in settings.items()], folder)
        return read_result(folder / "result.json")
