"""Each figure of a sweep as a map over the two axes with the most values, the others at their first value."""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, to_spec
from ftlab.report.figures.labels import Names
from ftlab.report.model.sweep import SweepFigure, SweepTable, is_number
from ftlab.report.theme import PAGE_WIDTH

COLOURS = ("#eef4fb", "#8fb8e8", "#2f6fc4", "#12305c")  # small to large
TEXT_FROM = 0.5  # of the range: from there on the ground is dark
MAX_TEXTS = 120  # tiles that have their value written on


def axes_of(sweep: SweepTable) -> tuple[str, str] | None:
    """The one with the most values lies along x; None where fewer than two axes have several."""
    varied = [axis for axis in sweep.axes if len(sweep.values(axis)) > 1]
    ordered = sorted(varied, key=lambda axis: -len(sweep.values(axis)))
    return (ordered[0], ordered[1]) if len(ordered) > 1 else None


def ordered_values(sweep: SweepTable, axis: str) -> list[str]:
    values = sweep.values(axis)
    return sorted(values, key=float) if all(is_number(value) for value in values) else values


def _records(sweep: SweepTable, figure: SweepFigure, x: str, y: str) -> list[Record]:
    held = {axis: sweep.values(axis)[0] for axis in sweep.axes if axis not in (x, y)}
    records: list[Record] = []
    for point in sweep.points:
        estimate = point.estimates.get(figure.path)
        if estimate is None or any(point.settings[axis] != value for axis, value in held.items()):
            continue
        half = "" if estimate.half is None else f"{estimate.half:.3g}"
        here: Record = {"x": point.settings[x], "y": point.settings[y], "value": estimate.mean}
        records.append(here | {"text": units.significant(estimate.mean), "half": half})
    return records


def _figure(sweep: SweepTable, figure: SweepFigure, x: str, y: str) -> Figure | None:
    records = _records(sweep, figure, x, y)
    if not records:
        return None
    rows = Names(tuple(ordered_values(sweep, y)))
    values = [float(str(record["value"])) for record in records]
    low, high = min(values), max(values)
    title = f"{figure.path}, {figure.unit}" if figure.unit else figure.path
    across = alt.X("x:N", title=x, sort=ordered_values(sweep, x), axis=alt.Axis(labelAngle=0))
    up = alt.Y("y:N", title=y, sort=list(rows.names), axis=rows.axis())
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(range=COLOURS, domain=[low, high] if low < high else [low, low + 1]),
        legend=alt.Legend(title=figure.unit or None, orient="top", gradientLength=200, gradientThickness=9),
    )
    tooltip = [
        alt.Tooltip("x:N", title=x),
        alt.Tooltip("y:N", title=y),
        alt.Tooltip("value:Q", title=title, format=",.5~r"),
        alt.Tooltip("half:N", title="half of the 95 % interval"),
    ]
    base = alt.Chart(data(records))
    layers: list[alt.Chart] = [base.mark_rect().encode(x=across, y=up, color=colour, tooltip=tooltip)]
    if len(records) <= MAX_TEXTS:
        dark = alt.datum.value >= low + TEXT_FROM * (high - low)
        ink = alt.condition(dark, alt.value("#ffffff"), alt.value("#1c2530"))
        layers.append(base.mark_text(fontSize=11).encode(x=across, y=up, text="text:N", color=ink))
    reserve = rows.width + 40
    height = max(60, max(34, rows.row_height) * len(rows.names))
    chart = alt.layer(*layers).properties(width=PAGE_WIDTH - reserve, height=height)
    held = ", ".join(f"{axis} = {sweep.values(axis)[0]}" for axis in sweep.axes if axis not in (x, y))
    rest = f" For {held}." if held else ""
    name = f"heat-{figure.path}".replace(".", "-").replace("_", "-")
    return Figure(
        name=name,
        title=f"{figure.path} over {x} and {y}",
        caption=f"{figure.help[:1].upper()}{figure.help[1:]}. The darker, the larger.{rest}",
        alt=f"{title}: {low:.4g} to {high:.4g} over {len(records)} combinations of {x} and {y}.",
        spec=to_spec(chart),
        reserve=reserve,
    )


def make(report: Report) -> list[Figure]:
    sweep = report.sweep
    # Points of a search fill no grid.
    axes = None if sweep is None or sweep.objectives else axes_of(sweep)
    if sweep is None or axes is None:
        return []
    return [drawn for figure in sweep.figures if (drawn := _figure(sweep, figure, *axes)) is not None]
