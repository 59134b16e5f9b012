"""Paper against ours: reproduce.json, schema ftlab-reproduce version 1.

Verdicts are the simulator's; none is made here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ftlab.json_node import Node, optional, require_schema
from ftlab.report.model.notes import Note, parse_notes

SCHEMA = "ftlab-reproduce"
VERSION = 1
VERDICTS = ("pass", "fail", "reported")


@dataclass(frozen=True)
class Quantity:
    name: str
    title: str
    unit: str
    decimals: int


@dataclass(frozen=True)
class Cell:
    """Deviation, tolerance and allowed are all of `deviation_kind`: relative (share) or absolute (unit of quantity)."""

    quantity: str
    paper: float | None
    ours: float
    standard_error: float | None
    deviation: float | None
    deviation_kind: str
    tolerance: float | None
    allowed: float | None
    verdict: str
    note: str


@dataclass(frozen=True)
class Row:
    keys: dict[str, str]
    cells: dict[str, Cell]  # by quantity


@dataclass(frozen=True)
class Axis:
    title: str
    unit: str
    scale: str


@dataclass(frozen=True)
class Point:
    x: float | str
    y: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Series:
    label: str
    paper: bool
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Plot:
    name: str
    title: str
    caption: str
    kind: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Effect:
    """What a figure becomes when a value that the papers leave open is another; `variants` are (that value, figure)."""

    name: str
    used: str
    keys: dict[str, str]
    quantity: str
    ours: float
    variants: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Sensitivity:
    effects: tuple[Effect, ...]
    without_effect: tuple[str, ...]  # values that move no figure


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper with the range that it gives; None: unbounded."""

    text: str
    source: str
    least: float | None
    most: float | None
    unit: str
    decimals: int
    ours: float
    standard_error: float | None
    missed_by: float
    holds: bool


@dataclass(frozen=True)
class TradeOff:
    """What is weighed between the rows that differ in one axis alone."""

    over: str  # the axis
    beaten: str  # the quantity that says how many of the others beat a row
    figures: tuple[tuple[Quantity, bool], ...]  # and whether more of it is better

    def unbeaten(self, row: Row) -> bool:
        """The row is in the Pareto set."""
        return self.beaten in row.cells and row.cells[self.beaten].ours == 0


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    paper_source: str
    about: str
    seeds: tuple[int, ...]
    verdict: str
    keys: tuple[tuple[str, str], ...]  # (name, title)
    quantities: tuple[Quantity, ...]
    rows: tuple[Row, ...]
    plots: tuple[Plot, ...]
    trade_off: TradeOff | None
    claims: tuple[Claim, ...]
    claims_about: str  # where it is not what ran; empty: it is
    notes: tuple[str, ...]
    sensitivity: Sensitivity | None

    def row_label(self, row: Row) -> str:
        return self.key_label(row.keys)

    def key_label(self, keys: dict[str, str]) -> str:
        return " · ".join(keys[name] for name, _ in self.keys)

    def weighed(self) -> list[tuple[str, Experiment]]:
        """With a trade-off, an experiment for each group of rows that are weighed against each other, which names it;
        else itself, without a name."""
        if self.trade_off is None:
            return [("", self)]
        over = self.trade_off.over
        others = [name for name, _ in self.keys if name != over]
        groups: dict[str, list[Row]] = {}
        for row in self.rows:
            groups.setdefault(" · ".join(row.keys[name] for name in others), []).append(row)
        keys = tuple(key for key in self.keys if key[0] == over)
        return [(label, replace(self, keys=keys, rows=tuple(rows))) for label, rows in groups.items()]

    def verdict_counts(self) -> dict[str, int]:
        verdicts = [cell.verdict for row in self.rows for cell in row.cells.values()]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}


@dataclass(frozen=True)
class Parameter:
    name: str
    title: str
    value: str
    unit: str
    fitted: bool
    free: bool
    source: str
    group: str
    note: str


@dataclass(frozen=True)
class Reproduction:
    title: str
    notes: tuple[Note, ...]
    experiments: tuple[Experiment, ...]
    parameters: tuple[Parameter, ...]
    not_reproduced: tuple[tuple[str, str], ...]  # (title, text)


def _text(node: Node | None) -> str:
    return optional(node, Node.text, "")


def _number(node: Node | None) -> float | None:
    return optional(node, Node.number, None)


def _cell(node: Node) -> Cell:
    return Cell(
        quantity=node.get("quantity").text(),
        paper=_number(node.find("paper")),
        ours=node.get("ours").number(),
        standard_error=_number(node.find("standard_error")),
        deviation=_number(node.find("deviation")),
        deviation_kind=node.get("deviation_kind").choice(("relative", "absolute")),
        tolerance=_number(node.find("tolerance")),
        allowed=_number(node.find("allowed")),
        verdict=node.get("verdict").choice(VERDICTS),
        note=_text(node.find("note")),
    )


def _row(node: Node, keys: tuple[tuple[str, str], ...], quantities: tuple[Quantity, ...]) -> Row:
    known = {quantity.name for quantity in quantities}
    cells: dict[str, Cell] = {}
    for item in node.get("cells").items():
        cell = _cell(item)
        if cell.quantity not in known:
            raise item.get("quantity").refuse(f"'{cell.quantity}' is not listed under quantities")
        cells[cell.quantity] = cell
    return Row({name: node.get("keys").get(name).text() for name, _ in keys}, cells)


def _point(node: Node, category: bool) -> Point:
    x = node.get("x")
    return Point(
        x=x.text() if category else x.number(),
        y=node.get("y").number(),
        low=_number(node.find("low")),
        high=_number(node.find("high")),
    )


def _plot(node: Node) -> Plot:
    name_node = node.get("name")
    if not re.fullmatch(r"[A-Za-z0-9_-]+", name_node.text()):
        raise name_node.refuse(f"'{name_node.text()}' is used as a file name: letters, digits, '-' and '_' only")
    x, y = node.get("x"), node.get("y")
    x_axis = Axis(x.get("title").text(), _text(x.find("unit")), x.get("scale").choice(("linear", "log", "category")))
    y_axis = Axis(y.get("title").text(), _text(y.find("unit")), y.get("scale").choice(("linear", "log")))
    series = tuple(
        Series(
            label=item.get("label").text(),
            paper=item.get("paper").flag(),
            points=tuple(_point(point, x_axis.scale == "category") for point in item.get("points").items()),
        )
        for item in node.get("series").items()
    )
    points = [point for item in series for point in item.points]
    if y_axis.scale == "log" and any(point.y <= 0 for point in points):
        raise y.refuse("a logarithmic axis cannot show values of 0 or less")
    if x_axis.scale == "log" and any(isinstance(point.x, float) and point.x <= 0 for point in points):
        raise x.refuse("a logarithmic axis cannot show values of 0 or less")
    kind = node.get("kind").choice(("line", "bar"))
    if kind == "bar" and x_axis.scale != "category":
        raise x.get("scale").refuse("must be 'category' under bars")
    return Plot(
        name=name_node.text(),
        title=node.get("title").text(),
        caption=_text(node.find("caption")),
        kind=kind,
        x=x_axis,
        y=y_axis,
        series=series,
    )


def _effect(node: Node, keys: tuple[tuple[str, str], ...], quantities: tuple[Quantity, ...]) -> Effect:
    quantity = node.get("quantity")
    if quantity.text() not in {known.name for known in quantities}:
        raise quantity.refuse(f"'{quantity.text()}' is not listed under quantities")
    return Effect(
        name=node.get("name").text(),
        used=node.get("used").text(),
        keys={name: node.get("keys").get(name).text() for name, _ in keys},
        quantity=quantity.text(),
        ours=node.get("ours").number(),
        variants=tuple((item.get("value").text(), item.get("ours").number()) for item in node.get("variants").items()),
    )


def _sensitivity(node: Node, keys: tuple[tuple[str, str], ...], quantities: tuple[Quantity, ...]) -> Sensitivity:
    return Sensitivity(
        effects=tuple(_effect(item, keys, quantities) for item in node.get("effects").items()),
        without_effect=tuple(item.text() for item in node.get("without_effect").items()),
    )


def _claim(node: Node) -> Claim:
    return Claim(
        text=node.get("text").text(),
        source=node.get("source").text(),
        least=_number(node.find("least")),
        most=_number(node.find("most")),
        unit=_text(node.find("unit")),
        decimals=node.get("decimals").count(),
        ours=node.get("ours").number(),
        standard_error=_number(node.find("standard_error")),
        missed_by=node.get("missed_by").number(),
        holds=node.get("verdict").choice(("holds", "fails")) == "holds",
    )


def _experiment(node: Node) -> Experiment:
    keys = tuple((item.get("name").text(), item.get("title").text()) for item in node.get("keys").items())
    quantities = tuple(
        Quantity(
            item.get("name").text(), item.get("title").text(), _text(item.find("unit")), item.get("decimals").count()
        )
        for item in node.get("quantities").items()
    )
    return Experiment(
        name=node.get("name").text(),
        title=node.get("title").text(),
        paper_source=node.get("paper_source").text(),
        about=_text(node.find("about")),
        seeds=tuple(item.count() for item in node.get("seeds").items()),
        verdict=node.get("verdict").choice(VERDICTS),
        keys=keys,
        quantities=quantities,
        rows=tuple(_row(item, keys, quantities) for item in node.get("rows").items()),
        plots=tuple(_plot(item) for item in node.items_of("plots")),
        trade_off=optional(node.find("trade_off"), lambda found: _trade_off(found, keys, quantities), None),
        claims=tuple(_claim(item) for item in node.items_of("claims")),
        claims_about=_text(node.find("claims_about")),
        notes=tuple(item.text() for item in node.items_of("notes")),
        sensitivity=optional(node.find("sensitivity"), lambda found: _sensitivity(found, keys, quantities), None),
    )


def _trade_off(node: Node, keys: tuple[tuple[str, str], ...], quantities: tuple[Quantity, ...]) -> TradeOff:
    known = {quantity.name: quantity for quantity in quantities}
    figures = []
    for item in node.get("figures").items():
        quantity = item.get("quantity").choice(tuple(known))
        figures.append((known[quantity], item.get("wanted").choice(("less", "more")) == "more"))
    over = node.get("over").choice(tuple(name for name, _ in keys))
    return TradeOff(over, node.get("beaten").choice(tuple(known)), tuple(figures))


def _parameter(node: Node) -> Parameter:
    value = node.get("value")
    return Parameter(
        name=node.get("name").text(),
        title=_text(node.find("title")),
        value=value.text() if isinstance(value.value, str) else f"{value.number():.10g}",
        unit=_text(node.find("unit")),
        fitted=node.get("fitted").flag(),
        free=optional(node.find("free"), Node.flag, False),
        source=node.get("source").text(),
        group=_text(node.find("group")),
        note=_text(node.find("note")),
    )


def parse_reproduction(root: Node) -> Reproduction:
    """Raises InputError naming file and key."""
    require_schema(root, SCHEMA, VERSION)
    experiments = tuple(_experiment(item) for item in root.get("experiments").items())
    names = [plot.name for experiment in experiments for plot in experiment.plots]
    if len(set(names)) != len(names):
        raise root.get("experiments").refuse("two plots have the same name; names are file names and must differ")
    return Reproduction(
        title=root.get("title").text(),
        notes=parse_notes(root.find("notes")),
        experiments=experiments,
        parameters=tuple(_parameter(item) for item in root.items_of("parameters")),
        not_reproduced=tuple(
            (item.get("title").text(), item.get("text").text()) for item in root.items_of("not_reproduced")
        ),
    )
