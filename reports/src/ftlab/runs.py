"""One run from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.program import simulate
from ftlab.result import Result, read_result
from ftlab.values import ValueRefusedError, flattened, plain, toml


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
    return found


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
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = Path(out) if out is not None else Path(scratch) / "out"
        if isinstance(study, str | Path):
            file = Path(study)
        else:
            # Beside the result that names it.
            folder.mkdir(parents=True, exist_ok=True)
            file = folder / "study.toml"
            file.write_text("".join(f"{key} = {toml(value)}\n" for key, value in settings.items()), encoding="utf-8")
            settings = {}
        simulate(file, [setting(key, value) for key, value in settings.items()], folder)
        return read_result(folder / "result.json")
