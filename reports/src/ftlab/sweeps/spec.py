"""SWEEP.toml: what is varied around which study, with how many seeds, and which figures are wanted (docs/sweeps.md)."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.key_kinds import KeyKinds
from ftlab.key_units import KeyUnits
from ftlab.nearest import listed, meant
from ftlab.program import listing, listing_with
from ftlab.result import figure_rows, is_number
from ftlab.runs import ALL_KEYS, BARE_KEY
from ftlab.sweeps.axes import (
    AxisError,
    Range,
    Settings,
    Space,
    latin_hypercube,
    parse_range,
    rows_together,
    space_of,
    values_of,
)
from ftlab.toml_source import SourceFile, read_tree
from ftlab.values import MAX_INTEGER, ValueRefusedError, flattened, plain

SHOWN = "`ftlab sweep --help` shows one"
DEFAULT_FIGURES = ("write_amplification", "throughput.write_bytes_per_s", "flash.erases", "energy.j_per_host_mib")
MAX_RUNS = 10_000_000
MAX_SEARCH_SEED = 2**32 - 1  # as SciPy and Optuna take them
_TOP = ("study", "seeds", "figures", "axes", "linked", "latin_hypercube", "objectives", "runs", "search_seed")
_VARIED = ("axes", "linked", "latin_hypercube")
_SAMPLING = ("samples", "seed")
# Key -> the command that lists every number of what it names.
NAMED = {"part": "parts", "host": "hosts", "core": "cores", "workload.scenario": "scenarios"}
# Keys whose value may be a file beside the sweep.
PATHS = (*NAMED, "workload.path")


# How a run begins a line about one of its settings; of an override the key in the file stands apart.
_OF_SETTING = re.compile(
    r"--set: (?P<key>(?:(?:part|host|core|scenario)_overrides: )?[A-Za-z0-9_.-]+): (?P<problem>.*)", re.S
)
# The table that gives a key its values, and which of several of that name.
Home = tuple[str, int]


@dataclass(frozen=True)
class Sweep:
    """Each point runs with seeds first_seed on."""

    study: Path | None  # None: every key has its default
    base: Settings
    space: Space
    ranges: dict[str, Range]
    samples: int  # points drawn from the ranges, each beside every point of the space
    sample_seed: int
    seeds: int
    first_seed: int
    figures: list[str]
    source: SourceFile
    homes: dict[str, Home] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what the user should know although it is no error

    def about_axis(self, line: str) -> str:
        """What the program said of a setting, as said of the axis, or the key of [study], that it comes from."""
        found = _OF_SETTING.match(line)
        if not found:
            return line
        key = found["key"].replace(": ", ".")
        home = max((home for home in self.homes if key == home or key.startswith(f"{home}.")), key=len, default=None)
        if home is None:
            return line
        table, nth = self.homes[home]
        return str(self.source.refuse(f"{table}.{home}", found["problem"], nth))

    def axes(self) -> list[str]:
        """The keys that are varied."""
        return [*(key for group in self.space.groups for key in group[0]), *self.ranges]

    def points(self) -> list[Settings]:
        """Settings of the study's keys, in the order of the table. Raises InputError for too many."""
        if self.ranges and self.samples == 0:
            raise self.source.refuse("latin_hypercube", "lacks samples, the number of points")
        count = self.space.size() * max(1, self.samples)
        if count * self.seeds > MAX_RUNS:
            problem = f"make {count} points of {self.seeds} runs; at most {MAX_RUNS} runs are possible"
            raise self.source.refuse("axes", problem)
        points = self.space.points()
        if not self.ranges:
            return points
        drawn = latin_hypercube(self.ranges, self.samples, self.sample_seed)
        return [point | sample for point in points for sample in drawn]


def read_sweep(path: Path) -> Sweep:
    """Raises InputError with one line: file, line, key, how to mend it."""
    tree, source = read_tree(path, SHOWN)
    return sweep_of(tree, source, path.parent)


def sweep_of(tree: dict[str, Any], source: SourceFile | None = None, folder: Path = Path()) -> Sweep:
    """The same from a tree of values; paths are relative to `folder`."""
    at = source or SourceFile("sweep", "")
    refuse_study(tree, at)
    for key in tree:
        if key not in _TOP:
            raise at.refuse(key, f"is no key of a sweep{meant(key, _TOP, listed(_TOP))}")
    reader = _Reader(at, folder)
    study, base, seed = reader.study(tree.get("study", {}))
    space, ranges, homes = reader.varied(tree)
    sampling = reader.table(tree, "latin_hypercube")
    return Sweep(
        study=study,
        base=base,
        space=space,
        ranges=ranges,
        samples=whole(at, "latin_hypercube.samples", sampling["samples"], 1) if "samples" in sampling else 0,
        sample_seed=whole(at, "latin_hypercube.seed", sampling.get("seed", 1), 0, MAX_SEARCH_SEED),
        seeds=whole(at, "seeds", tree.get("seeds", 1), 1),
        first_seed=whole(at, "study.seed", seed, 0, MAX_INTEGER),
        figures=reader.figures(tree.get("figures", list(DEFAULT_FIGURES))),
        source=at,
        homes=dict.fromkeys(base, ("study", 0)) | homes,
        notes=tuple(reader.notes),
    )


def refuse_study(tree: dict[str, Any], at: SourceFile) -> None:
    """Raises InputError for keys of a study where those of a sweep belong."""
    known = {str(row["key"]).split(".", maxsplit=1)[0] for row in listing("keys")}
    if any(key in tree for key in _VARIED) or "study" in tree or not any(key in known - {"seed"} for key in tree):
        return
    name = at.path
    raise InputError(
        f"{name}: is a study, and no sweep; run it with `ftlab run {name}`, or name it in a sweep: "
        f'study = "{Path(name).name}" and [axes]'
    )


class _Reader:
    """Reads the tables of one file; knows the keys of a study and their types."""

    def __init__(self, at: SourceFile, folder: Path) -> None:
        self._at = at
        self._folder = folder
        rows = listing_with((*KeyKinds.COLUMNS, *KeyUnits.COLUMNS), "keys")
        self._types = {str(row["key"]): str(row["type"]) for row in rows}
        self._units = KeyUnits(rows)
        self._kinds = KeyKinds(rows)
        self.notes: dict[str, None] = {}  # each once, in their order

    def study(self, given: Any) -> tuple[Path | None, Settings, Any]:
        """The file, or the keys in place; and its seed."""
        if isinstance(given, dict):
            # An empty table says nothing.
            flat = self._flat("study", given)
            base = {key: value for key, value in flat.items() if not isinstance(value, dict) or value}
            for key, value in base.items():
                self._check_key("study", key)
                base[key] = self._value("study", key, value)
            return None, base, base.pop("seed", 1)
        if not isinstance(given, str):
            raise self._at.refuse("study", "must be the path of a study, or a table of its keys")
        path = self._folder / given
        if not is_file(path):
            raise self._at.refuse("study", f"{path}: no such file; `ftlab init {path}` writes one")
        # Not resolved: a study's own files lie beside the link.
        return path.absolute(), {}, _seed_of(path)

    def varied(self, tree: dict[str, Any]) -> tuple[Space, dict[str, Range], dict[str, Home]]:
        """Axes and linked keys, the ranges that are sampled, and where each key is varied."""
        axes = {key: self._values("axes", key, axis) for key, axis in self.table(tree, "axes").items()}
        for key, values in axes.items():
            if len({json.dumps(value) for value in values}) != len(values):
                problem = "holds a value twice (an integer's range may have more steps than there are integers)"
                raise self._at.refuse(f"axes.{key}", problem)
        linked = [self._linked(table, nth) for nth, table in enumerate(self._linked_tables(tree))]
        ranges = self._ranges(self.table(tree, "latin_hypercube"))
        names = [*axes, *(key for table in linked for key in table), *ranges]
        for key in names:
            if names.count(key) > 1:
                table = next(name for name in ("linked", "latin_hypercube") if self._holds(tree, name, key))
                raise self._at.refuse(f"{table}.{key}", "is varied twice")
        if not names:
            raise InputError(
                f"{self._at.path}: varies nothing; add [axes] with a key of the study, such as "
                '"ftl.utilization" = [0.5, 0.9]'
            )
        homes = {key: ("linked", nth) for nth, table in enumerate(linked) for key in table}
        homes |= dict.fromkeys(axes, ("axes", 0)) | dict.fromkeys(ranges, ("latin_hypercube", 0))
        return space_of(axes, linked), ranges, homes

    def figures(self, given: Any) -> list[str]:
        if not isinstance(given, list) or not given or not all(isinstance(path, str) for path in given):
            raise self._at.refuse("figures", 'must be a list of figures, such as ["flash.erases"]')
        for path in given:
            check_figure(self._at, "figures", path)
        return list(dict.fromkeys(given))

    def table(self, tree: dict[str, Any], name: str) -> Settings:
        table = tree.get(name, {})
        if not isinstance(table, dict):
            raise self._at.refuse(name, f"must be a table, written as [{name}]")
        return self._flat(name, table)

    def _flat(self, name: str, table: dict[str, Any]) -> Settings:
        try:
            flat = flattened(table, is_value=lambda value: "from" in value or "to" in value)
            found = self._units.full_names(flat)
        except ValueRefusedError as problem:
            raise self._at.refuse(name, str(problem)) from None
        for former, key in self._units.names_now(flat).items():
            self.notes[str(self._at.refuse(f"{name}.{former}", f"is called {key} now"))] = None
        return found

    def _holds(self, tree: dict[str, Any], name: str, key: str) -> bool:
        tables = tree.get(name, [])
        return any(key in self._flat(name, table) for table in (tables if isinstance(tables, list) else [tables]))

    def _linked_tables(self, tree: dict[str, Any]) -> list[dict[str, Any]]:
        tables = tree.get("linked", [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) and table for table in tables):
            raise self._at.refuse("linked", "must be tables of keys, written as [[linked]]")
        return tables

    def _linked(self, table: dict[str, Any], nth: int) -> dict[str, list[Any]]:
        found = {key: self._values("linked", key, axis, nth) for key, axis in self._flat("linked", table).items()}
        try:
            rows_together(found)
        except AxisError as error:
            raise self._at.refuse("linked", str(error), nth) from None
        return found

    def _ranges(self, table: Settings) -> dict[str, Range]:
        ranges: dict[str, Range] = {}
        for key, axis in table.items():
            if key in _SAMPLING:
                continue
            self._check_key("latin_hypercube", key)
            if not isinstance(axis, dict) or not {"from", "to"} <= axis.keys() <= {"from", "to", "log"}:
                raise self._at.refuse(f"latin_hypercube.{key}", "must be a range such as {from = 0.5, to = 0.9}")
            try:
                ranges[key] = parse_range(self._units.plain(key, plain(axis)), self._types.get(key) == "integer")
            except (AxisError, ValueRefusedError) as error:
                raise self._at.refuse(f"latin_hypercube.{key}", str(error)) from None
        if table and not ranges:
            raise self._at.refuse("latin_hypercube", "samples no key; give one a range")
        return ranges

    def _values(self, table: str, key: str, axis: Any, nth: int = 0) -> list[Any]:
        self._check_key(table, key, nth)
        try:
            values = values_of(self._units.plain(key, plain(axis)), self._types.get(key) == "integer")
        except (AxisError, ValueRefusedError) as error:
            raise self._at.refuse(f"{table}.{key}", str(error), nth) from None
        held = [self._value(table, key, value) for value in values]
        for value in held:
            if problem := self._kinds.problem(key, value):
                raise self._at.refuse(f"{table}.{key}", problem, nth)
        return held

    def _value(self, table: str, key: str, value: Any) -> Any:
        """As TOML can hold it; a file beside the sweep by its whole path, because runs start elsewhere."""
        try:
            value = plain(value)
            if key in PATHS and isinstance(value, str) and value and is_file(self._folder / value):
                return plain(str((self._folder / value).absolute()))
            return value
        except ValueRefusedError as problem:
            raise self._at.refuse(f"{table}.{key}", str(problem)) from None

    def _check_key(self, table: str, key: str, nth: int = 0) -> None:
        if key == "seed" and table != "study":
            raise self._at.refuse(f"{table}.{key}", "is what `seeds` counts up; give `seeds = N` instead", nth)
        free = any(known.endswith(".*") and key.startswith(known[:-1]) for known in self._types)
        if (key not in self._types and not free) or not BARE_KEY.fullmatch(key):
            problem = f"is no key of a study{meant(key, self._types, ALL_KEYS)}"
            raise self._at.refuse(f"{table}.{key}", problem, nth)


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, or none
        return False


def _seed_of(study: Path) -> Any:
    """The study's own; the first run says what is wrong with one that cannot be read."""
    try:
        text = study.read_text(encoding="utf-8")
        tree = json.loads(text).get("config", {}) if study.suffix == ".json" else tomllib.loads(text)
        return tree.get("seed", 1)
    except (OSError, ValueError, AttributeError, RecursionError):
        return 1


def check_figure(at: SourceFile, key: str, path: str) -> None:
    """Raises InputError for what is no number of a result."""
    if is_number(path):
        return
    if path in figure_rows():
        raise at.refuse(key, f"{path} is no number that has a mean; `ftlab figures` lists the types")
    taken = [figure for figure in figure_rows() if is_number(figure)]
    raise at.refuse(key, f"no figure {path}{meant(path, taken, '`ftlab figures` lists all')}")


def whole(at: SourceFile, key: str, value: Any, least: int, most: int = MAX_RUNS) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise at.refuse(key, f"must be a whole number from {least} to {most}")
    return value
