"""Paper against ours: every cell's deviation and the band it may lie in, a panel for each quantity.

Cells are drawn as the table has their deviation: in per cent of the published value, or in the quantity's own unit. A
panel has one unit; cells whose deviation has the other one, or none, are in the table only.
"""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from ftlab.report import names, units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import AnyChart, Record, data, to_spec
from ftlab.report.figures.labels import Names
from ftlab.report.model.reproduce import Cell, Experiment, Quantity
from ftlab.report.theme import PAGE_WIDTH

PANEL_GAP = 24
MOST_PANELS = 4


@dataclass(frozen=True)
class Drawn:
    """In the unit of the panel."""

    deviation: float
    allowed: float | None
    error: float


def kind_of(experiment: Experiment, quantity: Quantity) -> str:
    """What the panel shows: relative where a cell's deviation is, else absolute."""
    cells = (row.cells.get(quantity.name) for row in experiment.rows)
    kinds = {cell.deviation_kind for cell in cells if cell is not None and cell.deviation is not None}
    return "relative" if "relative" in kinds else "absolute"


def unit_of(quantity: Quantity, kind: str) -> str:
    """As the table has it."""
    if kind == "relative":
        return "%"
    return "points" if quantity.unit == "%" else quantity.unit


def drawn(cell: Cell, kind: str) -> Drawn | None:
    """The cell on the panel's axis; None when it has no place there."""
    if cell.deviation is None or cell.paper is None or cell.deviation_kind != kind:
        return None
    error = cell.standard_error or 0.0
    if kind == "absolute":
        return Drawn(cell.deviation, cell.allowed, error)
    allowed = None if cell.allowed is None else 100.0 * cell.allowed
    return Drawn(100.0 * cell.deviation, allowed, 100.0 * error / abs(cell.paper) if cell.paper else 0.0)


def _records(experiment: Experiment, quantity: Quantity) -> list[Record]:
    kind = kind_of(experiment, quantity)
    unit = unit_of(quantity, kind)
    decimals = 2 if kind == "relative" else quantity.decimals

    def amount(value: float) -> str:
        return f"{units.fixed(value, decimals)} {unit}".strip()

    records: list[Record] = []
    for row in experiment.rows:
        cell = row.cells.get(quantity.name)
        place = drawn(cell, kind) if cell else None
        if cell is None or place is None:
            continue
        records.append(
            {
                "row": experiment.row_label(row),
                "deviation": place.deviation,
                "low": None if place.allowed is None else -place.allowed,
                "high": place.allowed,
                "error_low": place.deviation - place.error,
                "error_high": place.deviation + place.error,
                "verdict": cell.verdict,
                "unit": unit,
                "paper": units.fixed(cell.paper or 0.0, quantity.decimals),
                "ours": units.fixed(cell.ours, quantity.decimals),
                "text": amount(place.deviation),
                "allowed": "" if place.allowed is None else units.PLUS_MINUS + amount(place.allowed),
            }
        )
    return records


def _panel(quantity: Quantity, records: list[Record], rows: Names, width: int, first: bool) -> AnyChart:
    axis = rows.axis(labelFontSize=11) if first else alt.Axis(labels=False)
    y = alt.Y("row:N", sort=rows.names, title=None, axis=axis, scale=alt.Scale(domain=rows.names))
    reach = max(
        abs(float(str(record[key])))
        for record in records
        for key in ("error_low", "error_high", "high")
        if record[key] is not None
    )
    x_scale = alt.Scale(domain=[-reach * 1.1 or -1, reach * 1.1 or 1], nice=False)
    title = ", ".join(filter(None, ["deviation", str(records[0]["unit"])]))
    x = alt.X("deviation:Q", title=title, scale=x_scale, axis=alt.Axis(tickCount=4, labelFontSize=11))
    tooltip = [
        alt.Tooltip("row:N", title="cell"),
        alt.Tooltip("paper:N"),
        alt.Tooltip("ours:N"),
        alt.Tooltip("text:N", title="deviation"),
        alt.Tooltip("allowed:N", title="allowed"),
        alt.Tooltip("verdict:N"),
    ]
    band = (
        alt.Chart(data([record for record in records if record["high"] is not None]))
        .mark_bar(height={"band": 0.62}, opacity=0.3, color="#7f93ab")
        .encode(y=y, x=alt.X("low:Q", scale=x_scale), x2="high:Q", tooltip=tooltip)
    )
    error = (
        alt.Chart(data(records))
        .mark_rule(strokeWidth=1.6)
        .encode(y=y, x=alt.X("error_low:Q", scale=x_scale), x2="error_high:Q")
    )
    colour = alt.Color(
        "verdict:N",
        legend=None,
        scale=alt.Scale(domain=list(names.VERDICT_COLOURS), range=list(names.VERDICT_COLOURS.values())),
    )
    shape = alt.Shape(
        "verdict:N",
        legend=None,
        scale=alt.Scale(domain=list(names.VERDICT_COLOURS), range=["circle", "triangle-up", "diamond"]),
    )
    dots = (
        alt.Chart(data(records))
        .mark_point(filled=True, size=75, opacity=1)
        .encode(y=y, x=x, color=colour, shape=shape, tooltip=tooltip)
    )
    zero = alt.Chart(data([{"deviation": 0}])).mark_rule(opacity=0.7).encode(x=x)
    return alt.layer(band, zero, error, dots).properties(
        width=width, height=max(60, max(23, rows.row_height) * len(rows.names)), title=alt.Title(quantity.title)
    )


def _caption(left_out: int) -> str:
    text = (
        "Bar: the deviation that is allowed (tolerance and two standard errors); line: one standard error. "
        "Green dot: within; red triangle: outside; grey diamond: reported, not judged."
    )
    if left_out:
        plural = "cell is" if left_out == 1 else "cells are"
        why = "published value 0 or absent, or a deviation in another unit than the panel's"
        text += f" {left_out} {plural} in the table only ({why})."
    return text


def _figure(experiment: Experiment) -> Figure | None:
    panels = [(quantity, _records(experiment, quantity)) for quantity in experiment.quantities]
    panels = [(quantity, records) for quantity, records in panels if records]
    if not panels:
        return None
    drawn_rows = {str(record["row"]) for _, records in panels for record in records}
    labels = list(dict.fromkeys(experiment.row_label(row) for row in experiment.rows))
    rows = Names(tuple(label for label in labels if label in drawn_rows))
    columns = min(len(panels), MOST_PANELS)
    reserve = rows.width + PANEL_GAP * (columns - 1) + 20
    width = (PAGE_WIDTH - reserve) // columns
    lines = [panels[start : start + columns] for start in range(0, len(panels), columns)]
    charts = [
        alt.hconcat(
            *(
                _panel(quantity, records, rows, width, first=index == 0)
                for index, (quantity, records) in enumerate(line)
            ),
            spacing=PANEL_GAP,
        )
        for line in lines
    ]
    counts = experiment.verdict_counts()
    cells = sum(counts.values())
    shown = sum(len(records) for _, records in panels)
    return Figure(
        name=f"deviation-{experiment.name}",
        title=f"{experiment.title}: deviation from the paper",
        caption=_caption(cells - shown),
        alt=f"{counts['pass']} of {counts['pass'] + counts['fail']} judged cells lie within the allowed deviation, "
        f"{counts['fail']} outside; {counts['reported']} are reported without judgement. All values are in the table.",
        spec=to_spec(charts[0] if len(charts) == 1 else alt.vconcat(*charts)),
        reserve=reserve,
        group=experiment.name,
    )


def make(report: Report) -> list[Figure]:
    if report.reproduction is None:
        return []
    figures = [_figure(experiment) for experiment in report.reproduction.experiments]
    return [figure for figure in figures if figure is not None]
