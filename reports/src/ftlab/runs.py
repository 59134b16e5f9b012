"""One run from Python."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.program import simulate
from ftlab.result import Result, read_result


def setting(key: str, value: Any) -> str:
    """KEY=VALUE with the value as TOML. Raises InputError for one that TOML cannot hold."""
    if isinstance(value, Path):
        value = str(value)
    try:
        return f"{key}={json.dumps(value, ensure_ascii=False, allow_nan=False)}"
    except (TypeError, ValueError):
        raise InputError(f"{key}: {value!r} is no text, number, truth value or list of these") from None


def flattened(tree: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Tables in tables as keys with dots."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            flat |= flattened(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def run(study: str | Path | dict[str, Any] | None = None, *, out: str | Path | None = None, **overrides: Any) -> Result:
    """Simulates once.

    `study` is a study file, a result.json to repeat, or a tree of keys; without one every key has its default.
    Overrides are keys of the study, with two underscores for the dot: `ftl__selection="greedy"`. `out` keeps the folder
    with the result. Raises RunError with the program's own line when it refuses.
    """
    given = flattened(study) if isinstance(study, dict) else {}
    given |= {key.replace("__", "."): value for key, value in overrides.items()}
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        if isinstance(study, str | Path):
            file = Path(study)
        else:
            file = Path(scratch) / "study.toml"
            file.write_text("")
        folder = Path(out) if out is not None else Path(scratch) / "out"
        simulate(file, [setting(key, value) for key, value in given.items()], folder)
        return read_result(folder / "result.json")
