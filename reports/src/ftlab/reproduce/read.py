"""From an experiment file to an Experiment. Every complaint names file, line, key and how to mend it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ftlab.program import listing
from ftlab.reproduce.check import check_expressions
from ftlab.reproduce.fields import HINT, Fields, meant
from ftlab.reproduce.spec import (
    Axis,
    AxisValue,
    Case,
    Claim,
    Experiment,
    OpenValue,
    Plot,
    PlotAxis,
    Point,
    Published,
    Quantity,
    Series,
    Settings,
    Tolerance,
    Variant,
    VariedRows,
    Vary,
    Where,
)
from ftlab.runs import BARE_KEY
from ftlab.toml_source import SourceFile, read_tree
from ftlab.values import ValueRefusedError, flattened, plain

PAPER = "paper.toml"
COMMANDS = ("run", "driver")
_TOP = (
    "title", "summary", "source", "about", "notes", "needs", "command", "study", "keys", "axes", "derived",
    "quantities", "published", "tolerances", "plots", "claims", "vary",
)  # fmt: skip
_SHARED = ("study", "axes", "derived", "quantities")  # what an experiment takes from its paper
_SCALES = ("linear", "log", "category")
_NAME = re.compile(r"[A-Za-z0-9_-]+")
_FILES = ("host", "scenario", "part")
# Keys whose value may be a file beside the experiment.
_PATHS = ("part", "host", "workload.scenario", "workload.path")


def read_experiment(path: Path, name: str) -> Experiment:
    tree, source = read_tree(path, HINT)
    paper: dict[str, Any] = {}
    if (path.parent / PAPER).exists():
        paper, _ = read_tree(path.parent / PAPER, HINT)
    experiment = _Reader(tree, paper, source, path.parent).experiment(name)
    check_expressions(experiment)
    return experiment


class _Reader(Fields):
    def __init__(self, tree: dict[str, Any], paper: dict[str, Any], source: SourceFile, folder: Path) -> None:
        self._tree = tree
        self._paper = {key: paper[key] for key in _SHARED if key in paper}
        super().__init__(source)
        self._folder = folder
        self._keys = {str(row["key"]) for row in listing("keys")}

    def experiment(self, name: str) -> Experiment:
        for key in self._tree:
            if key not in _TOP:
                raise self._at.refuse(key, f"is no key of an experiment{meant(key, _TOP)}; {HINT}")
        axes = self._axes()
        self._axis_values = {axis.name: tuple(value.name for value in axis.values) for axis in axes}
        quantities = self._quantities()
        self._quantity_names = tuple(quantity.name for quantity in quantities)
        return Experiment(
            name=name,
            title=self._text(self._tree, "title"),
            summary=self._text(self._tree, "summary", ""),
            source=self._text(self._tree, "source"),
            about=self._text(self._tree, "about", ""),
            notes=self._texts(self._tree, "notes"),
            needs=self._text(self._tree, "needs", ""),
            command=self._choice(self._tree, "command", COMMANDS, "run"),
            study=self._settings("study", self._paper.get("study", {}))
            | self._settings("study", self._tree.get("study", {})),
            axes=axes,
            derived=self._derived(),
            quantities=quantities,
            published=self._published(axes),
            tolerances=self._tolerances(),
            plots=tuple(self._plot(nth, plot) for nth, plot in enumerate(self._tables(self._tree, "plots"))),
            claims=tuple(self._claim(nth, claim) for nth, claim in enumerate(self._tables(self._tree, "claims"))),
            vary=self._vary(),
            file=self._at,
        )

    # Axes

    def _axes(self) -> tuple[Axis, ...]:
        own = self._table(self._tree, "axes")
        known = {**self._paper.get("axes", {}), **own}
        wanted = self._texts(self._tree, "keys") or tuple(own)
        if not wanted:
            raise self._at.refuse("axes", "lacks what names the rows: a table [axes.NAME] with values")
        for name in wanted:
            if name not in known:
                raise self._at.refuse("keys", f"there is no [axes.{name}]{meant(name, known)}")
        for name in own:
            if name not in wanted:
                raise self._at.refuse(f"axes.{name}", "is not named by keys; add it there, or drop it")
        return tuple(self._axis(name, known[name]) for name in wanted)

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

    # Quantities

    def _derived(self) -> Mapping[str, str]:
        found = {**self._paper.get("derived", {}), **self._table(self._tree, "derived")}
        for name, expression in found.items():
            if not isinstance(expression, str):
                raise self._at.refuse(f"derived.{name}", "must be an expression, written as a text")
        return found

    def _quantities(self) -> tuple[Quantity, ...]:
        shared = self._paper.get("quantities", {})
        tables = self._table(self._tree, "quantities")
        if not tables:
            raise self._at.refuse("quantities", "lacks what is measured: a table [quantities.NAME] with value")
        # A quantity of the paper's file, and what the experiment says otherwise.
        return tuple(self._quantity(name, {**shared.get(name, {}), **table}) for name, table in tables.items())

    def _quantity(self, name: str, table: Any) -> Quantity:
        key = f"quantities.{name}"
        self._only(key, table, ("title", "unit", "decimals", "value", "published", "deviation"))
        decimals = table.get("decimals", 0)
        if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= 6:
            raise self._at.refuse(f"{key}.decimals", "must be a whole number from 0 to 6")
        return Quantity(
            name=name,
            title=self._text(table, "title", name, key),
            unit=self._text(table, "unit", "", key),
            decimals=decimals,
            cases=self._cases(key, table.get("value", name)),
            published=self._expression(f"{key}.published", table.get("published", "")),
            relative=self._choice(table, "deviation", ("relative", "absolute"), "relative", key) == "relative",
        )

    def _cases(self, key: str, given: Any) -> tuple[Case, ...]:
        if not isinstance(given, list):
            return (Case({}, self._expression(f"{key}.value", given)),)
        cases = []
        for case in given:
            self._only(f"{key}.value", case, ("where", "is"))
            where = self._where(f"{key}.value", case.get("where", {}))
            cases.append(Case(where, self._expression(f"{key}.value", case.get("is"))))
        return tuple(cases)

    def _expression(self, key: str, given: Any) -> str:
        if isinstance(given, bool) or not isinstance(given, str | int | float):
            raise self._at.refuse(key, "must be an expression such as 'flash.erases', or a number")
        return given if isinstance(given, str) else repr(given)

    # What was published

    def _published(self, axes: tuple[Axis, ...]) -> dict[tuple[Point, str], Published]:
        found: dict[tuple[Point, str], Published] = {}
        columns = [axis for axis in axes if axis.column]

        def descend(key: str, table: Any, names: tuple[str, ...]) -> None:
            if not isinstance(table, dict):
                raise self._at.refuse(key, "must be a table")
            if len(names) < len(columns):
                allowed = [value.name for value in columns[len(names)].values]
                for name, below in table.items():
                    if name not in allowed:
                        axis = columns[len(names)].name
                        raise self._at.refuse(f"{key}.{name}", f"is no value of {axis}{meant(name, allowed)}")
                    descend(f"{key}.{name}", below, (*names, name))
                return
            named = iter(names)
            row = tuple(next(named) if axis.column else axis.values[0].name for axis in axes)
            for quantity, given in table.items():
                if quantity not in self._quantity_names:
                    hint = meant(quantity, self._quantity_names)
                    raise self._at.refuse(f"{key}.{quantity}", f"is no quantity of this experiment{hint}")
                found[row, quantity] = self._figure(f"{key}.{quantity}", given)

        descend("published", self._table(self._tree, "published"), ())
        return found

    def _figure(self, key: str, given: Any) -> Published:
        if not isinstance(given, dict):
            return Published(self._expression(key, given), "")
        self._only(key, given, ("value", "note"))
        return Published(self._expression(key, given.get("value")), self._text(given, "note", "", key))

    def _tolerances(self) -> tuple[Tolerance, ...]:
        found = []
        for nth, table in enumerate(self._tables(self._tree, "tolerances")):
            self._only("tolerances", table, ("where", "reason", *self._quantity_names), nth)
            if not self._text(table, "reason", "", "tolerances"):
                raise self._at.refuse("tolerances", "lacks a reason, a sentence that says why so far", nth)
            where = self._where("tolerances", table.get("where", {}), nth)
            for quantity, given in table.items():
                if quantity in ("where", "reason"):
                    continue
                kind, value = next(iter(given.items())) if isinstance(given, dict) and len(given) == 1 else ("", -1)
                if kind not in ("relative", "absolute") or not _is_number(value) or value < 0:
                    problem = "must be { relative = SHARE } of the published figure, or { absolute = AMOUNT }"
                    raise self._at.refuse(f"tolerances.{quantity}", problem, nth)
                found.append(Tolerance(where, quantity, kind == "relative", float(value)))
        return tuple(found)

    def _claim(self, nth: int, table: dict[str, Any]) -> Claim:
        self._only("claims", table, ("text", "source", "value", "where", "range", "unit", "decimals"), nth)
        span = table.get("range")
        if not isinstance(span, list) or len(span) != 2 or not all(_is_number(end) for end in span):
            raise self._at.refuse("claims.range", "must be [LEAST, MOST]; inf stands for no limit", nth)
        return Claim(
            text=self._text(table, "text", None, "claims"),
            source=self._text(table, "source", self._text(self._tree, "source"), "claims"),
            expression=self._expression("claims.value", table.get("value")),
            where=self._where("claims", table.get("where", {}), nth),
            unit=self._text(table, "unit", "", "claims"),
            decimals=int(table.get("decimals", 1)),
            least=_bound(span[0]),
            most=_bound(span[1]),
        )

    # Plots

    def _plot(self, nth: int, table: dict[str, Any]) -> Plot:
        self._only("plots", table, ("name", "title", "caption", "kind", "x", "y", "series"), nth)
        name = self._text(table, "name", None, "plots")
        if not _NAME.fullmatch(name):
            raise self._at.refuse("plots.name", f"{name} names a file: letters, digits, '-' and '_' only", nth)
        series = table.get("series")
        if not isinstance(series, list) or not series:
            raise self._at.refuse("plots.series", "must be a list such as [{ quantity = 'erasures' }]", nth)
        return Plot(
            name=name,
            title=self._text(table, "title", None, "plots"),
            caption=self._text(table, "caption", "", "plots"),
            kind=self._choice(table, "kind", ("line", "bar"), "line", "plots"),
            x=self._plot_axis(table, "x"),
            y=self._plot_axis(table, "y"),
            series=tuple(self._series(nth, one) for one in series),
        )

    def _plot_axis(self, table: dict[str, Any], name: str) -> PlotAxis:
        key = f"plots.{name}"
        given = table.get(name, {})
        self._only(key, given, ("title", "unit", "scale"))
        scale = self._choice(given, "scale", _SCALES if name == "x" else _SCALES[:2], "linear", key)
        return PlotAxis(self._text(given, "title", None, key), self._text(given, "unit", "", key), scale)

    def _series(self, nth: int, table: Any) -> Series:
        self._only("plots.series", table, ("where", "label", "paper", "points", "quantity"), nth)
        points = self._expression("plots.series", table.get("points", ""))
        quantity = self._text(table, "quantity", "", "plots.series")
        if bool(points) == bool(quantity):
            raise self._at.refuse("plots.series", "needs points, an expression, or quantity, the bar of each row", nth)
        if quantity and quantity not in self._quantity_names:
            raise self._at.refuse("plots.series", f"{quantity} is no quantity of this experiment", nth)
        return Series(
            where=self._where("plots.series", table.get("where", {}), nth),
            label=self._text(table, "label", "", "plots.series"),
            paper=self._flag(table, "paper", False, "plots.series"),
            points=points,
            quantity=quantity,
        )

    # What the paper leaves open

    def _vary(self) -> Vary | None:
        table = self._table(self._tree, "vary")
        if not table:
            return None
        self._only("vary", table, ("at", "keys", "files", "values", "rows"))
        files = self._texts(table, "files", "vary")
        for file in files:
            if file.partition(".")[0] not in _FILES:
                raise self._at.refuse("vary.files", f"{file} is none of {', '.join(_FILES)}, or a table of one")
        rows = table.get("rows", [{}])
        if not isinstance(rows, list):
            raise self._at.refuse("vary.rows", "must be a list such as [{ where = { policy = 'cat' } }]")
        return Vary(
            at=self._where("vary.at", table.get("at", {})),
            keys=self._texts(table, "keys", "vary"),
            files=files,
            values=tuple(self._open_value(value) for value in table.get("values", [])),
            rows=tuple(self._varied(row) for row in rows),
        )

    def _varied(self, table: Any) -> VariedRows:
        self._only("vary.rows", table, ("where", "quantities"))
        return VariedRows(
            self._where("vary.rows", table.get("where", {})), self._texts(table, "quantities", "vary.rows")
        )

    def _open_value(self, table: Any) -> OpenValue:
        key = "vary.values"
        self._only(key, table, ("name", "used", "variants"))
        variants = table.get("variants")
        if not isinstance(variants, list) or not variants:
            raise self._at.refuse(key, "lacks variants, a list such as [{ text = '4 segments', set = {} }]")
        for variant in variants:
            self._only(key, variant, ("text", "set"))
        return OpenValue(
            self._text(table, "name", None, key),
            self._text(table, "used", None, key),
            tuple(
                Variant(self._text(one, "text", None, key), self._settings(key, one.get("set", {}))) for one in variants
            ),
        )

    # Parts of all of them

    def _where(self, key: str, given: Any, nth: int = 0) -> Where:
        if not isinstance(given, dict):
            raise self._at.refuse(key, "where must be a table such as { policy = 'cat' }", nth)
        found = {}
        for axis, names in given.items():
            if axis not in self._axis_values:
                raise self._at.refuse(key, f"there is no axis {axis}{meant(axis, self._axis_values)}", nth)
            listed = names if isinstance(names, list) else [names]
            for name in listed:
                if name not in self._axis_values[axis]:
                    hint = meant(str(name), self._axis_values[axis])
                    raise self._at.refuse(key, f"axis {axis} has no value {name}{hint}", nth)
            found[axis] = tuple(listed)
        return found

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
                hint = "; seeds are counted by --seeds" if name == "seed" else meant(name, self._keys)
                raise self._at.refuse(f"{key}.{name}", f"is no key of a study{hint}; `ftlab keys` lists all")
            if name in _PATHS and isinstance(value, str) and value:
                flat[name] = self._found(value)
        return flat

    def _found(self, name: str) -> str:
        """A file beside the experiment, or a trace of the user's; the name itself where there is none."""
        folders = [self._folder, *(Path(folder) for folder in [os.environ.get("FTLAB_TRACE_DIR")] if folder)]
        return next((str((folder / name).absolute()) for folder in folders if (folder / name).is_file()), name)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _bound(value: float) -> float | None:
    return None if value in (float("inf"), float("-inf")) else float(value)
