"""SWEEP.toml: what is varied around which study, with how many seeds, and which figures are wanted.

study = "cat.toml"            # or [study] with keys in place
seeds = 4                     # default 1
figures = ["flash.erases"]    # default: see DEFAULT_FIGURES
[axes]                        # every combination
"ftl.utilization" = [0.5, 0.7, 0.9]
"workload.total_mib" = {from = 10, to = 1000, steps = 3, log = true}
[[linked]]                    # these go through their lists together
"ftl.low_water" = [1, 3]
"ftl.high_water" = [3, 5]
[latin_hypercube]             # instead of, or times, the axes
samples = 40
seed = 1
"ftl.utilization" = {from = 0.5, to = 0.95}
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.program import listing
from ftlab.result import figure_rows
from ftlab.runs import flattened
from ftlab.sweeps.axes import AxisError, Range, Settings, latin_hypercube, parse_range, product, values_of

DEFAULT_FIGURES = ("write_amplification", "throughput.write_bytes_per_s", "flash.erases", "energy.j_per_host_mib")
MAX_RUNS = 10_000_000
_TOP = ("study", "seeds", "figures", "axes", "linked", "latin_hypercube")


@dataclass(frozen=True)
class Sweep:
    """`points` are settings of the study's keys, in the order of the table; each runs with seeds first_seed on."""

    study: Path | None  # None: every key has its default
    base: Settings
    points: list[Settings]
    axes: list[str]
    seeds: int
    first_seed: int
    figures: list[str]


@dataclass
class _File:
    """The text beside what it means, so that a complaint names the line."""

    path: str
    text: str
    known: set[str] = field(default_factory=set)

    def line_of(self, key: str) -> str:
        """`:N` for the line on which a key or table stands, as far as a search finds it."""
        name = key.rsplit("/", maxsplit=1)[-1]
        for number, line in enumerate(self.text.splitlines(), start=1):
            word = line.split("=")[0].strip().strip("[]").strip().strip("\"'")
            if word == name:
                return f":{number}"
        return ""

    def refuse(self, key: str, problem: str) -> InputError:
        return InputError(f"{self.path}{self.line_of(key)}: {key.replace('/', '.')}: {problem}")


def read_sweep(path: Path) -> Sweep:
    """Raises InputError with one line: file, line, key, how to mend it."""
    try:
        text = path.read_text(encoding="utf-8")
        tree = tomllib.loads(text)
    except OSError as error:
        raise InputError(
            f"{path}: cannot be read ({error.strerror}); give a sweep file (`ftlab sweep --help`)"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is no UTF-8 text; give a sweep file (`ftlab sweep --help`)") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: {error}") from None
    return sweep_of(tree, _File(str(path), text), path.parent)


def sweep_of(tree: dict[str, Any], file: _File | None = None, folder: Path = Path()) -> Sweep:
    """The same from a tree of values; a study's path is relative to `folder`."""
    at = file or _File("sweep", "")
    for key in tree:
        if key not in _TOP:
            raise at.refuse(key, f"is no key of a sweep{_meant(key, _TOP)}; there are {', '.join(_TOP)}")
    study, base = _study(tree, at, folder)
    at.known = {str(row["key"]) for row in listing("keys")}
    for key in base:
        _check_key(at, "study", key)
    points, axes = _points(tree, at)
    seeds = _whole(at, "seeds", tree.get("seeds", 1), 1)
    if len(points) * seeds > MAX_RUNS:
        raise at.refuse("axes", f"make {len(points)} points of {seeds} runs; at most {MAX_RUNS} runs are possible")
    first_seed = _whole(at, "study/seed", base.pop("seed", 1), 0)
    return Sweep(study, base, points, axes, seeds, first_seed, _figures(tree, at))


def _study(tree: dict[str, Any], at: _File, folder: Path) -> tuple[Path | None, Settings]:
    given = tree.get("study", {})
    if isinstance(given, dict):
        return None, flattened(given)
    if not isinstance(given, str):
        raise at.refuse("study", "must be the path of a study, or a table of its keys")
    path = folder / given
    if not path.is_file():
        raise at.refuse("study", f"{path}: no such file; `ftlab init {given}` writes one")
    return path.resolve(), {}


def _points(tree: dict[str, Any], at: _File) -> tuple[list[Settings], list[str]]:
    axes = {key: _values(at, "axes", key, axis) for key, axis in _table(at, tree, "axes").items()}
    linked_tables = tree.get("linked", [])
    if not isinstance(linked_tables, list) or not all(isinstance(table, dict) for table in linked_tables):
        raise at.refuse("linked", "must be tables, written as [[linked]]")
    linked = [
        {key: _values(at, "linked", key, axis) for key, axis in flattened_axes(table).items()}
        for table in linked_tables
    ]
    sampled = _table(at, tree, "latin_hypercube")
    names = [*axes, *(key for table in linked for key in table), *(key for key in sampled if key not in _SAMPLING)]
    for key in names:
        if names.count(key) > 1:
            raise at.refuse(key, "is varied twice")
    if not names:
        raise InputError(
            f'{at.path}: varies nothing; add [axes] with a key of the study, such as "ftl.utilization" = [0.5, 0.9]'
        )
    try:
        points = product(axes, linked)
    except AxisError as error:
        raise at.refuse("linked", str(error)) from None
    if sampled:
        samples = _samples(at, sampled)
        points = [point | sample for point in points for sample in samples]
    return points, names


_SAMPLING = ("samples", "seed")


def _samples(at: _File, table: Settings) -> list[Settings]:
    ranges: dict[str, Range] = {}
    for key, axis in table.items():
        if key in _SAMPLING:
            continue
        _check_key(at, "latin_hypercube", key)
        if not isinstance(axis, dict) or not {"from", "to"} <= axis.keys() <= {"from", "to", "log"}:
            raise at.refuse(f"latin_hypercube/{key}", "must be a range such as {from = 0.5, to = 0.9}")
        try:
            ranges[key] = parse_range(axis)
        except AxisError as error:
            raise at.refuse(f"latin_hypercube/{key}", str(error)) from None
    if not ranges:
        raise at.refuse("latin_hypercube", "samples no key; give one a range")
    if "samples" not in table:
        raise at.refuse("latin_hypercube", "lacks samples, the number of points")
    samples = _whole(at, "latin_hypercube/samples", table["samples"], 1)
    return latin_hypercube(ranges, samples, _whole(at, "latin_hypercube/seed", table.get("seed", 1), 0))


def flattened_axes(table: Settings, prefix: str = "") -> Settings:
    """Keys of a study may be written with quotes or as tables; a table with `from` is a range."""
    flat: Settings = {}
    for key, value in table.items():
        if isinstance(value, dict) and "from" not in value and "to" not in value:
            flat |= flattened_axes(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def _table(at: _File, tree: dict[str, Any], name: str) -> Settings:
    table = tree.get(name, {})
    if not isinstance(table, dict):
        raise at.refuse(name, f"must be a table, written as [{name}]")
    return flattened_axes(table)


def _values(at: _File, table: str, key: str, axis: Any) -> list[Any]:
    _check_key(at, table, key)
    try:
        return values_of(axis)
    except AxisError as error:
        raise at.refuse(f"{table}/{key}", str(error)) from None


def _check_key(at: _File, table: str, key: str) -> None:
    if key == "seed" and table != "study":
        raise at.refuse(f"{table}/{key}", "is what `seeds` counts up; give `seeds = N` instead")
    free = any(known.endswith(".*") and key.startswith(known[:-1]) for known in at.known)
    if key not in at.known and not free:
        raise at.refuse(f"{table}/{key}", f"is no key of a study{_meant(key, at.known)}; `ftlab keys` lists all")


def _figures(tree: dict[str, Any], at: _File) -> list[str]:
    given = tree.get("figures", list(DEFAULT_FIGURES))
    if not isinstance(given, list) or not given or not all(isinstance(path, str) for path in given):
        raise at.refuse("figures", 'must be a list of figures, such as ["flash.erases"]')
    known = figure_rows()
    for path in given:
        if path not in known:
            raise at.refuse("figures", f"no figure {path}{_meant(path, known)}; `ftlab figures` lists all")
    return list(dict.fromkeys(given))


def _whole(at: _File, key: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise at.refuse(key, f"must be a whole number from {least} on")
    return value


def _meant(word: str, known: Any) -> str:
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]}" if near else ""
