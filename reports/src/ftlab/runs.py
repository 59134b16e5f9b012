"""One run from Python."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ftlab.errors import InputError, RunError, echo
from ftlab.places import folder_of, path_of
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


def as_study(given: Any) -> Path | dict[str, Any]:
    """The path of a study, or a tree of its keys. Raises InputError for what is neither."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    if not isinstance(given, str | Path):
        raise InputError(f"study={echo(given)}: is no study; give the path of one, or a tree of keys")
    return path_of(given, "study", "study")


def run(
    study: str | Path | Mapping[str, Any] | None = None, *, out: str | Path | None = None, **overrides: Any
) -> Result:
    """Simulates once.

    `study`: path of a study or of a result.json to repeat, or a tree of keys such as {"part": "series2plus-4mb", "ftl":
    {"utilization": 0.8}}. Default: every key has its default.
    `out`: folder that keeps the result and, of a tree, the study. Default: nothing is kept.
    `overrides`: keys of the study with two underscores for the dot, such as ftl__selection="greedy", in the units that
    `ftlab keys` lists; they win over the study's own.

    Returns a Result. A device that wears out before the end has one, too.

    Raises RunError with the program's own line when it refuses, and InputError for what is no study, no value of one,
    or no folder.
    """
    given = as_study(study)
    kept = None if out is None else folder_of(out, "out")
    settings = settings_of({key.replace("__", "."): value for key, value in overrides.items()})
    if isinstance(given, dict):
        settings = settings_of(given) | settings
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = kept or Path(scratch) / "out"
        if isinstance(given, Path):
            file = given
        else:
            file = folder / "study.toml"  # beside the result that names it
            _write_study(file, settings)
            settings = {}
        try:
            simulate(file, [setting(key, value) for key, value in settings.items()], folder)
        except RunError as error:
            if kept is not None or isinstance(given, Path):
                raise
            # The file is gone when somebody reads this.
            raise RunError(re.sub(rf"{re.escape(str(file))}(:\d+)?", "study", error.reason), error.status) from None
        return read_result(folder / "result.json")
