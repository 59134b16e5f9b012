"""Paper against ours: every cell's deviation and the band it may lie in, a panel for each quantity.

Cells are drawn in per cent of the published value, or in the quantity's own unit where that is per cent already.
Cells that cannot be drawn so (published value 0, none at all) are in the table only.
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
    """Per cent or points."""

    deviation: float
    allowed: float | None
    error: float


def drawn(cell: Cell, quantity: Quantity) -> Drawn | None:
    """The cell on the panel's axis; None when it has no place there."""
    if cell.deviation is None or cell.paper is None:
        return None
    in_points = quantity.unit == "%"
    if in_points:
        factor = 1.0 if cell.deviation_kind == "absolute" else cell.paper
    elif cell.deviation_kind == "relative":
        factor = 100.0
    elif cell.paper != 0:
        factor = 100.0 / abs(cell.paper)
    else:
        return None
    error = cell.standard_error or 0.0
    error_drawn = error if in_points else (100.0 * error / abs(cell.paper) if cell.paper else 0.0)
    allowed = None if cell.allowed is None else cell.allowed * factor
    return Drawn(cell.deviation * factor, allowed, error_drawn)


def _records(experiment: Experiment, quantity: Quantity) -> list[Record]:
    unit = "points" if quantity.unit == "%" else "%"
    records: list[Record] = []
    for row in experiment.rows:
        cell = row.cells.get(quantity.name)
        place = drawn(cell, quantity) if cell else None
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
                "paper": units.fixed(cell.paper or 0.0, quantity.decimals),
                "ours": units.fixed(cell.ours, quantity.decimals),
                "text": f"{units.fixed(place.deviation, 2)} {unit}",
                "allowed": "" if place.allowed is None else f"{units.PLUS_MINUS}{units.fixed(place.allowed, 2)} {unit}",
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
    unit = "points" if quantity.unit == "%" else "%"
    x = alt.X("deviation:Q", title=f"deviation, {unit}", scale=x_scale, axis=alt.Axis(tickCount=4, labelFontSize=11))
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
        text += f" {left_out} {plural} in the table only (published value 0 or absent)."
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
