"""From an experiment file to an Experiment. Every complaint names file, line, key and how to mend it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.nearest import listed, meant
from ftlab.reproduce.check import check_expressions
from ftlab.reproduce.fields import HINT
from ftlab.reproduce.paper import PAPER, Paper, read_paper
from ftlab.reproduce.spec import (
    Axis,
    Case,
    Claim,
    Experiment,
    OpenValue,
    Plot,
    PlotAxis,
    Point,
    Published,
    Quantity,
    Refused,
    Series,
    Tolerance,
    Variant,
    VariedRows,
    Vary,
    Where,
)
from ftlab.reproduce.trade_off_fields import TradeOffFields
from ftlab.toml_source import SourceFile, read_tree

FOLDER = Path(__file__).resolve().parents[1] / "experiments"
COMMANDS = ("run", "driver")
_TOP = (
    "paper", "title", "summary", "source", "about", "notes", "needs", "only_named", "command", "profile", "study",
    "keys", "axes", "derived", "quantities", "published", "tolerances", "plots", "trade_off", "claims", "claims_about",
    "vary", "refused",
)  # fmt: skip
_SCALES = ("linear", "log", "category")
_NAME = re.compile(r"[A-Za-z0-9_-]{1,100}")
_FILES = ("host", "scenario", "part")


def read_experiment(path: Path, name: str) -> Experiment:
    tree, source = read_tree(path, HINT)
    try:
        experiment = _Reader(tree, _paper_of(tree, source, path.parent), source, path.parent).experiment(name)
    except RecursionError:
        raise InputError(f"{path}: is nested too deeply to be an experiment; {HINT}") from None
    check_expressions(experiment)
    return experiment


def _paper_of(tree: dict[str, Any], source: SourceFile, folder: Path) -> Paper:
    """Of the folder; or, with `paper = "fms"`, that of the library."""
    if "paper" not in tree:
        return read_paper(folder)
    known = sorted(path.parent.name for path in FOLDER.glob(f"*/{PAPER}"))
    if tree["paper"] not in known:
        hint = meant(str(tree["paper"]), known)
        raise source.refuse("paper", f"{tree['paper']} is none of {', '.join(known)}{hint}")
    return read_paper(FOLDER / tree["paper"])


class _Reader(TradeOffFields):
    def __init__(self, tree: dict[str, Any], paper: Paper, source: SourceFile, folder: Path) -> None:
        super().__init__(source, folder)
        self._tree = tree
        self._paper = paper

    def experiment(self, name: str) -> Experiment:
        for key in self._tree:
            if key not in _TOP:
                raise self._at.refuse(key, f"is no key of an experiment{meant(key, _TOP, HINT)}")
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
            only_named=self._flag(self._tree, "only_named", False),
            command=self._choice(self._tree, "command", COMMANDS, "run"),
            profile=self._flag(self._tree, "profile", False),
            paper=self._paper.name,
            study=self._paper.study | self._settings("study", self._tree.get("study", {})),
            axes=axes,
            derived=self._derived(),
            quantities=quantities,
            published=self._published(axes),
            tolerances=self._tolerances(),
            plots=tuple(self._plot(nth, plot) for nth, plot in enumerate(self._tables(self._tree, "plots"))),
            trade_off=self._trade_off(self._tree, axes, quantities),
            claims=tuple(self._claim(nth, claim) for nth, claim in enumerate(self._tables(self._tree, "claims"))),
            claims_about=self._text(self._tree, "claims_about", ""),
            vary=self._vary(),
            file=self._at,
            refused=tuple(self._refused(nth, table) for nth, table in enumerate(self._tables(self._tree, "refused"))),
        )

    # Axes

    def _axes(self) -> tuple[Axis, ...]:
        own = self._named_tables(self._tree, "axes")
        # An axis of the paper's, and what the experiment says otherwise.
        known = {**self._paper.axes, **{name: {**self._paper.axes.get(name, {}), **own[name]} for name in own}}
        wanted = self._texts(self._tree, "keys") or tuple(own)
        if not wanted:
            raise self._at.refuse("axes", "lacks what names the rows: a table [axes.NAME] with values")
        for name in wanted:
            if name not in known:
                raise self._at.refuse("keys", f"there is no [axes.{name}]{meant(name, known, listed(known))}")
        for name in wanted:
            if wanted.count(name) > 1:
                raise self._at.refuse("keys", f"{name} is there twice")
        for name in own:
            if name not in wanted:
                raise self._at.refuse(f"axes.{name}", "is not named by keys; add it there, or drop it")
        return tuple(self._axis(name, known[name]) for name in wanted)

    # Quantities

    def _derived(self) -> Mapping[str, str]:
        found = {**self._paper.derived, **self._table(self._tree, "derived")}
        for name, expression in found.items():
            if not isinstance(expression, str):
                raise self._at.refuse(f"derived.{name}", "must be an expression, written as a text")
        return found

    def _quantities(self) -> tuple[Quantity, ...]:
        tables = self._named_tables(self._tree, "quantities")
        if not tables:
            raise self._at.refuse("quantities", "lacks what is measured: a table [quantities.NAME] with value")
        # A quantity of the paper's file, and what the experiment says otherwise.
        return tuple(
            self._quantity(name, {**self._paper.quantities.get(name, {}), **table}) for name, table in tables.items()
        )

    def _quantity(self, name: str, table: Any) -> Quantity:
        key = f"quantities.{name}"
        self._only(key, table, ("title", "unit", "decimals", "value", "published", "deviation"))
        return Quantity(
            name=name,
            title=self._text(table, "title", name, key),
            unit=self._text(table, "unit", "", key),
            decimals=self._decimals(table, 0, key),
            cases=self._cases(key, table.get("value", name)),
            published=self._expression(f"{key}.published", table.get("published", "")),
            relative=self._choice(table, "deviation", ("relative", "absolute"), "relative", key) == "relative",
        )

    def _cases(self, key: str, given: Any) -> tuple[Case, ...]:
        if not isinstance(given, list):
            return (Case({}, self._expression(f"{key}.value", given)),)
        if not given:
            raise self._at.refuse(f"{key}.value", "must be an expression, or a list such as [{ where = {}, is = 'x' }]")
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
                        raise self._at.refuse(
                            f"{key}.{name}", f"is no value of {axis}{meant(name, allowed, listed(allowed))}"
                        )
                    descend(f"{key}.{name}", below, (*names, name))
                return
            named = iter(names)
            row = tuple(next(named) if axis.column else _first_row(axis) for axis in axes)
            for quantity, given in table.items():
                if quantity not in self._quantity_names:
                    hint = meant(quantity, self._quantity_names, listed(self._quantity_names))
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
            if not any(quantity in table for quantity in self._quantity_names):
                names = ", ".join(self._quantity_names)
                raise self._at.refuse("tolerances", f"names no quantity of this experiment; there are {names}", nth)
            for quantity, given in table.items():
                if quantity in ("where", "reason"):
                    continue
                kind, value = next(iter(given.items())) if isinstance(given, dict) and len(given) == 1 else ("", -1)
                if kind not in ("relative", "absolute") or not _is_number(value) or not 0 <= value < math.inf:
                    problem = "must be { relative = SHARE } of the published figure, or { absolute = AMOUNT }"
                    raise self._at.refuse(f"tolerances.{quantity}", problem, nth)
                found.append(Tolerance(where, quantity, kind == "relative", float(value), nth))
        return tuple(found)

    def _claim(self, nth: int, table: dict[str, Any]) -> Claim:
        self._only("claims", table, ("text", "measure", "source", "value", "where", "range", "unit", "decimals"), nth)
        least, most = self._range(table, nth)
        return Claim(
            text=self._text(table, "text", None, "claims"),
            measure=self._text(table, "measure", "", "claims"),
            source=self._text(table, "source", self._text(self._tree, "source"), "claims"),
            expression=self._expression("claims.value", table.get("value")),
            where=self._where("claims", table.get("where", {}), nth),
            unit=self._text(table, "unit", "", "claims"),
            decimals=self._decimals(table, 1, "claims", nth),
            least=None if least == -math.inf else least,
            most=None if most == math.inf else most,
        )

    def _range(self, table: dict[str, Any], nth: int) -> tuple[float, float]:
        span = table.get("range")
        problem = "must be [LEAST, MOST]; -inf and inf stand for no limit"
        if not isinstance(span, list) or len(span) != 2 or not all(_is_number(end) for end in span):
            raise self._at.refuse("claims.range", problem, nth)
        least, most = (float(end) for end in span)
        bounded = math.isfinite(least) or math.isfinite(most)
        if not least <= most or least == math.inf or most == -math.inf or not bounded:
            raise self._at.refuse("claims.range", f"{problem}, and LEAST is not above MOST", nth)
        return least, most

    # Plots

    def _plot(self, nth: int, table: dict[str, Any]) -> Plot:
        self._only("plots", table, ("name", "title", "caption", "kind", "x", "y", "series"), nth)
        name = self._text(table, "name", None, "plots")
        if not _NAME.fullmatch(name):
            raise self._at.refuse("plots.name", f"{name} names a file: letters, digits, '-' and '_' only", nth)
        series = table.get("series")
        if not isinstance(series, list) or not series:
            raise self._at.refuse("plots.series", "must be a list such as [{ quantity = 'erasures' }]", nth)
        x = self._plot_axis(table, "x")
        drawn = tuple(self._series(nth, one) for one in series)
        if x.scale != "category" and any(one.quantity for one in drawn):
            raise self._at.refuse("plots.x.scale", "must be 'category' where series are bars of a quantity", nth)
        return Plot(
            name=name,
            title=self._text(table, "title", None, "plots"),
            caption=self._text(table, "caption", "", "plots"),
            kind=self._choice(table, "kind", ("line", "bar"), "line", "plots"),
            x=x,
            y=self._plot_axis(table, "y"),
            series=drawn,
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

    def _refused(self, nth: int, table: dict[str, Any]) -> Refused:
        self._only("refused", table, ("where", "reason"), nth)
        return Refused(
            self._where("refused", table.get("where", {}), nth), self._text(table, "reason", None, "refused")
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
        if not isinstance(rows, list) or not rows:
            raise self._at.refuse("vary.rows", "must be a list such as [{ where = { policy = 'cat' } }]")
        keys = self._texts(table, "keys", "vary")
        tables = {key.partition(".")[0] for key in self._keys if "." in key}
        for key in keys:
            if key not in tables:
                raise self._at.refuse(
                    "vary.keys", f"{key} is no table of a study{meant(key, tables, listed(sorted(tables)))}"
                )
        values = tuple(self._open_value(value) for value in self._tables(table, "values"))
        if len({value.name for value in values}) < len(values):
            raise self._at.refuse("vary.values", "two have the same name; name each once, with all its variants")
        return Vary(
            at=self._where("vary.at", table.get("at", {})),
            keys=keys,
            files=files,
            values=values,
            rows=tuple(self._varied(row) for row in rows),
        )

    def _varied(self, table: Any) -> VariedRows:
        self._only("vary.rows", table, ("where", "quantities"))
        quantities = self._texts(table, "quantities", "vary.rows")
        for name in quantities:
            if name not in self._quantity_names:
                hint = meant(name, self._quantity_names, listed(self._quantity_names))
                raise self._at.refuse("vary.rows", f"{name} is no quantity of this experiment{hint}")
        return VariedRows(self._where("vary.rows", table.get("where", {})), quantities)

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
            known = self._axis_values.get(axis)
            if known is None:
                hint = meant(axis, self._axis_values, listed(self._axis_values))
                raise self._at.refuse(key, f"there is no axis {axis}{hint}", nth)
            found[axis] = tuple(names if isinstance(names, list) else [names])
            for name in found[axis]:
                if name not in known:
                    hint = meant(str(name), known, listed(known))
                    raise self._at.refuse(key, f"axis {axis} has no value {name}{hint}", nth)
        return found


def _first_row(axis: Axis) -> str:
    return next((value.name for value in axis.values if value.row), axis.values[0].name)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
