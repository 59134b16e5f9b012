"""Each figure of a sweep as a map over the two axes named first; the others are held, and picked on the page."""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, to_spec
from ftlab.report.figures.early_ends import SIGN, EarlyEnds
from ftlab.report.figures.held_axes import Held
from ftlab.report.figures.labels import Names
from ftlab.report.model.sweep import SweepFigure, SweepTable, is_number
from ftlab.report.sweep_words import figure_name, figure_scale, key_name, value_text, with_unit
from ftlab.report.theme import PAGE_WIDTH
from ftlab.report.units import Scale

COLOURS = ("#eef4fb", "#8fb8e8", "#2f6fc4", "#12305c")  # small to large
TEXT_FROM = 0.5  # of the range: from there on the ground is dark
MAX_TEXTS = 120  # tiles that have their value written on


def axes_of(sweep: SweepTable) -> tuple[str, str] | None:
    """Of the first two that vary the one with more values lies along x; None where fewer than two axes have several."""
    varied = [axis for axis in sweep.axes if len(sweep.values(axis)) > 1][:2]
    ordered = sorted(varied, key=lambda axis: -len(sweep.values(axis)))
    return (ordered[0], ordered[1]) if len(ordered) > 1 else None


def ordered_values(sweep: SweepTable, axis: str) -> list[str]:
    values = sweep.values(axis)
    return sorted(values, key=float) if all(is_number(value) for value in values) else values


def _records(sweep: SweepTable, figure: SweepFigure, x: str, y: str, held: Held, scale: Scale) -> list[Record]:
    records: list[Record] = []
    early = EarlyEnds(sweep)
    for point in sweep.points:
        estimate = point.estimates.get(figure.path)
        if estimate is None:
            continue
        value = estimate.mean / scale.divisor
        half = "–" if estimate.half is None else f"{estimate.half / scale.divisor:.3g}"
        here: Record = {"x": value_text(x, point.settings[x]), "y": value_text(y, point.settings[y]), "value": value}
        text = units.significant(value) + early.sign(point)
        records.append(here | {"text": text, "half": half} | early.record(point) | held.record(point))
    return records


def _figure(sweep: SweepTable, figure: SweepFigure, x: str, y: str) -> Figure | None:
    name = f"heat-{figure.path}".replace(".", "-").replace("_", "-")
    held = Held(sweep, [axis for axis in sweep.axes if axis not in (x, y)], name)
    scale = figure_scale(sweep, figure)
    records = _records(sweep, figure, x, y, held, scale)
    first = held.first(records)
    early = EarlyEnds(sweep)
    if not records:
        return None
    x_name, y_name = (key_name(axis, sweep.axes) for axis in (x, y))
    rows = Names(tuple(value_text(y, value) for value in ordered_values(sweep, y)))
    values = [float(str(record["value"])) for record in records]
    low, high = min(values), max(values)
    title = with_unit(figure_name(figure.path), scale)
    columns = [value_text(x, value) for value in ordered_values(sweep, x)]
    across = alt.X("x:N", title=x_name, sort=columns, axis=alt.Axis(labelAngle=0))
    up = alt.Y("y:N", title=y_name, sort=list(rows.names), axis=rows.axis())
    colour = alt.Color(
        "value:Q",
        scale=alt.Scale(range=COLOURS, domain=[low, high] if low < high else [low, low + 1]),
        legend=alt.Legend(title=scale.unit or None, orient="top", gradientLength=200, gradientThickness=9),
    )
    several = any(record["half"] != "–" for record in records)  # one run says nothing of an interval
    tooltip = [
        alt.Tooltip("x:N", title=x_name),
        alt.Tooltip("y:N", title=y_name),
        alt.Tooltip("value:Q", title=title, format=",.5~r"),
        *([alt.Tooltip("half:N", title="half of the 95 % interval")] if several else []),
        *early.tooltips(),
    ]
    base = held.filtered(alt.Chart(data(records)))
    layers: list[alt.Chart] = [base.mark_rect().encode(x=across, y=up, color=colour, tooltip=tooltip)]
    if len(columns) * len(rows.names) <= MAX_TEXTS:
        dark = alt.datum.value >= low + TEXT_FROM * (high - low)
        ink = alt.condition(dark, alt.value("#ffffff"), alt.value("#1c2530"))
        layers.append(base.mark_text(fontSize=11).encode(x=across, y=up, text="text:N", color=ink, tooltip=tooltip))
    reserve = rows.width + 40
    height = max(60, max(34, rows.row_height) * len(rows.names))
    chart = held.offered(alt.layer(*layers)).properties(width=PAGE_WIDTH - reserve, height=height)
    shown = [float(str(record["value"])) for record in first] or values
    return Figure(
        name=name,
        title=f"{figure_name(figure.path)} over {x_name} and {y_name}",
        caption=f"{figure.path}: {figure.help}. The darker, the larger.{early.said(SIGN)}",
        alt=f"{title}: {min(shown):.4g} to {max(shown):.4g} over {len(first)} combinations of {x_name} and {y_name}.",
        spec=to_spec(chart),
        hint=held.hint(),
        on_paper=held.on_paper(),
        reserve=reserve,
    )


def make(report: Report) -> list[Figure]:
    sweep = report.sweep
    # Points of a search fill no grid.
    axes = None if sweep is None or sweep.objectives else axes_of(sweep)
    if sweep is None or axes is None:
        return []
    return [drawn for figure in sweep.figures if (drawn := _figure(sweep, figure, *axes)) is not None]
