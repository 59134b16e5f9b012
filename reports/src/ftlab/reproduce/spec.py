"""An experiment as its file says it: which runs, what is read off them, and what was published."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ftlab.toml_source import SourceFile

NO_CELL = "none"
"""In place of an expression: rows there do not have the quantity."""
Settings = dict[str, Any]
"""Keys of a study with their values."""
Point = tuple[str, ...]
"""The name of a value for each axis, in the order of the axes."""
Where = Mapping[str, tuple[str, ...]]
"""Names of the values for some of the axes; an axis that is absent may have any."""


@dataclass(frozen=True)
class AxisValue:
    name: str
    title: str
    settings: Settings
    row: bool  # False: it runs only for what other rows are compared with


@dataclass(frozen=True)
class Axis:
    name: str
    title: str
    values: tuple[AxisValue, ...]
    column: bool  # False: rows do not name it, and have its first value

    def value(self, name: str) -> AxisValue:
        return next(value for value in self.values if value.name == name)


@dataclass(frozen=True)
class Case:
    """An expression for the points that match; the first case that does counts."""

    where: Where
    expression: str


@dataclass(frozen=True)
class Quantity:
    name: str
    title: str
    unit: str
    decimals: int
    cases: tuple[Case, ...]
    published: str  # expression for points without a figure of their own; empty: none
    relative: bool  # how deviations are counted where no tolerance says it


@dataclass(frozen=True)
class Published:
    expression: str
    note: str


@dataclass(frozen=True)
class Tolerance:
    """`value`: share of the published figure, or an amount in the unit of the quantity."""

    where: Where
    quantity: str
    relative: bool
    value: float
    nth: int  # of the file's tables


@dataclass(frozen=True)
class Series:
    """Of each row that matches, `points` [(x, y)...]; or one bar for each row, the cell of `quantity`."""

    where: Where
    label: str  # empty: that of the row
    paper: bool
    points: str
    quantity: str


@dataclass(frozen=True)
class PlotAxis:
    title: str
    unit: str
    scale: str


@dataclass(frozen=True)
class Plot:
    name: str
    title: str
    caption: str
    kind: str
    x: PlotAxis
    y: PlotAxis
    series: tuple[Series, ...]


@dataclass(frozen=True)
class TradeOff:
    """What is weighed between the rows that differ in one axis alone."""

    over: str  # the axis
    beaten: str  # the quantity that says how many of the others beat a row; 0: it is in the Pareto set
    figures: tuple[tuple[str, bool], ...]  # quantity, and whether more of it is better


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper, and the range that its value must lie in; None: unbounded."""

    text: str
    measure: str  # what is compared with the range, where the sentence does not say it
    source: str
    expression: str
    where: Where
    unit: str
    decimals: int
    least: float | None
    most: float | None


@dataclass(frozen=True)
class Refused:
    """Points that the program does not simulate, and why: no row, and no value over an axis."""

    where: Where
    reason: str


@dataclass(frozen=True)
class Variant:
    text: str
    settings: Settings


@dataclass(frozen=True)
class OpenValue:
    """A value that the paper leaves open: what is used, and what it is changed to."""

    name: str
    used: str
    variants: tuple[Variant, ...]


@dataclass(frozen=True)
class VariedRows:
    where: Where
    quantities: tuple[str, ...]  # empty: all


@dataclass(frozen=True)
class Vary:
    """What is open about an experiment, and the rows that are run again for it."""

    at: Where  # the first row that matches says which values are used
    keys: tuple[str, ...]  # tables of the study, whose unpublished keys are varied
    files: tuple[str, ...]  # host, scenario, part, or a table of one: fitted, judged and unpublished numbers
    values: tuple[OpenValue, ...]
    rows: tuple[VariedRows, ...]


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    summary: str
    source: str
    about: str
    notes: tuple[str, ...]
    paper: str  # whose file it shares; empty: none
    needs: str  # said where its trace is missing: what it is, and where it can be had
    only_named: bool  # not among all that run where nothing is named
    command: str  # of the program: run, or driver
    study: Settings
    axes: tuple[Axis, ...]
    derived: Mapping[str, str]  # name -> expression
    quantities: tuple[Quantity, ...]
    published: Mapping[tuple[Point, str], Published]  # by row and quantity
    tolerances: tuple[Tolerance, ...]
    plots: tuple[Plot, ...]
    trade_off: TradeOff | None
    claims: tuple[Claim, ...]
    claims_about: str  # what the claims are about, where it is not what runs here; empty: it is
    vary: Vary | None
    file: SourceFile = field(repr=False)
    profile: bool = False  # runs on simulated cores hold where their cycles went
    refused: tuple[Refused, ...] = ()
    given: Settings = field(default_factory=dict)  # on the command line: on top of study and axes

    def missing(self) -> str:
        """Why it cannot run here; empty: it can."""
        choices = [[value.name for value in axis.values] for axis in self.axes]
        for settings in map(self.settings, itertools.product(*choices)):
            path = str(settings.get("workload.path", ""))
            if settings.get("workload.kind") == "trace" and not Path(path).is_file():
                return f"{path}: no such trace beside {self.file.path} or in $FTLAB_TRACE_DIR. {self.needs}".strip()
        return ""

    def axis(self, name: str) -> int:
        """The place of an axis in a point."""
        return next(place for place, axis in enumerate(self.axes) if axis.name == name)

    def rows(self, where: Where | None = None) -> list[Point]:
        choices: list[Iterable[str]] = []
        for axis in self.axes:
            names = [value.name for value in axis.values if value.row]
            choices.append(names if axis.column else names[:1])
        return [
            point
            for point in itertools.product(*choices)
            if self.matches(point, where or {}) and not self.refusal(point)
        ]

    def refusal(self, point: Point) -> str:
        """Why nothing runs there; empty: it runs."""
        return next((one.reason for one in self.refused if self.matches(point, one.where)), "")

    def matches(self, point: Point, where: Where) -> bool:
        return all(point[self.axis(name)] in allowed for name, allowed in where.items())

    def settings(self, point: Point) -> Settings:
        """Of the study at a point; of settings with one key the later axis wins, and last what was given."""
        settings = dict(self.study)
        for axis, name in zip(self.axes, point, strict=True):
            settings |= axis.value(name).settings
        return settings | self.given

    def titles(self, point: Point) -> dict[str, str]:
        """Axis -> title of its value, for the axes that name a row."""
        named = zip(self.axes, point, strict=True)
        return {axis.name: axis.value(name).title for axis, name in named if axis.column}

    def label(self, point: Point) -> str:
        return ", ".join(self.titles(point).values())

    def moved(self, point: Point, to: Mapping[str, str]) -> Point:
        """The point with other values on some axes."""
        return tuple(to.get(axis.name, name) for axis, name in zip(self.axes, point, strict=True))

    def expression_of(self, quantity: Quantity, point: Point) -> str | None:
        """None: rows there have no such cell."""
        found = next((case.expression for case in quantity.cases if self.matches(point, case.where)), NO_CELL)
        return None if found == NO_CELL else found

    def tolerance_of(self, quantity: str, point: Point) -> Tolerance | None:
        fit = (rule for rule in self.tolerances if rule.quantity == quantity and self.matches(point, rule.where))
        return next(fit, None)
