"""Each figure of a sweep over the axis with the most values, a curve for each combination of the others."""

from __future__ import annotations

import itertools

import altair as alt

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, to_spec
from ftlab.report.model.sweep import Point, SweepFigure, SweepTable, is_number
from ftlab.report.names import RUN_COLOURS
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 110
MOST_CURVES = 8


def x_axis(sweep: SweepTable) -> str:
    """The numeric axis with the most values; where none is numeric, the one with the most."""
    numeric = [axis for axis in sweep.axes if all(is_number(value) for value in sweep.values(axis))]
    return max(numeric or sweep.axes, key=lambda axis: len(sweep.values(axis)))


def curve_axes(sweep: SweepTable, x: str) -> tuple[list[str], dict[str, str]]:
    """Axes whose combinations have a curve each, as many as can be told apart; the others at their first values."""
    chosen: list[str] = []
    fixed: dict[str, str] = {}
    curves = 1
    for axis in sorted((axis for axis in sweep.axes if axis != x), key=lambda axis: len(sweep.values(axis))):
        count = len(sweep.values(axis))
        if curves * count <= MOST_CURVES:
            chosen.append(axis)
            curves *= count
        else:
            fixed[axis] = sweep.values(axis)[0]
    return [axis for axis in sweep.axes if axis in chosen], fixed


def _label(point: Point, axes: list[str]) -> str:
    return ", ".join(point.settings[axis] for axis in axes) or "all points"


def _records(points: list[Point], figure: SweepFigure, x: str, axes: list[str], numeric: bool) -> list[Record]:
    records: list[Record] = []
    for point in points:
        estimate = point.estimates.get(figure.path)
        if estimate is None:
            continue
        half = estimate.half or 0.0
        place: object = float(point.settings[x]) if numeric else point.settings[x]
        records.append(
            {
                "curve": _label(point, axes),
                "x": place,
                "y": estimate.mean,
                "low": estimate.mean - half,
                "high": estimate.mean + half,
            }
        )
    return records


def _figure(sweep: SweepTable, figure: SweepFigure) -> Figure | None:
    x = x_axis(sweep)
    axes, fixed = curve_axes(sweep, x)
    numeric = all(is_number(value) for value in sweep.values(x))
    points = [point for point in sweep.points if all(point.settings[axis] == fixed[axis] for axis in fixed)]
    records = _records(points, figure, x, axes, numeric)
    if not records:
        return None
    labels = list(dict.fromkeys(str(record["curve"]) for record in records))
    colours = list(itertools.islice(itertools.cycle(RUN_COLOURS), len(labels)))
    name = f"sweep-{figure.path.replace('.', '-').replace('_', '-')}"
    chosen = focus(f"{name.replace('-', '_')}_focus", "curve")
    title = f"{figure.path}, {figure.unit}" if figure.unit else figure.path
    across = alt.X("x:Q" if numeric else "x:N", title=x, scale=alt.Scale(zero=False) if numeric else alt.Undefined)
    legend = alt.Legend(symbolOpacity=1)
    colour = alt.Color("curve:N", scale=alt.Scale(domain=labels, range=colours), title=None, legend=legend)
    opacity = focus_opacity(chosen)
    base = alt.Chart(data(records))
    up = alt.Y("y:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(format=",.4~r"))
    tooltip = [
        alt.Tooltip("curve:N", title=", ".join(axes) or "curve"),
        alt.Tooltip("x:Q" if numeric else "x:N", title=x),
        alt.Tooltip("y:Q", title=title, format=",.5~r"),
        alt.Tooltip("low:Q", title="from", format=",.5~r"),
        alt.Tooltip("high:Q", title="to", format=",.5~r"),
    ]
    band = base.mark_area(opacity=0.18) if numeric else base.mark_rule(strokeWidth=2)
    lines = base.mark_line(point={"size": 45}) if numeric else base.mark_point(filled=True, size=70)
    chart = alt.layer(
        band.encode(x=across, y=alt.Y("low:Q", title=title, scale=alt.Scale(zero=False)), y2="high:Q", color=colour)
        # The legend listens to the first layer that has a part in it.
        .add_params(chosen),
        lines.encode(x=across, y=up, color=colour, opacity=opacity, tooltip=tooltip),
    ).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=320)
    held = ", ".join(f"{axis} = {value}" for axis, value in fixed.items())
    interval = " Bands: 95 % interval of the mean." if sweep.seeds > 1 else ""
    curves = f" A curve for each {' and '.join(axes)}." if axes else ""
    spans = []
    for label in labels:
        ys = [float(str(record["y"])) for record in records if record["curve"] == label]
        spans.append(f"{label}: {min(ys):.4g} to {max(ys):.4g}")
    return Figure(
        name=name,
        title=f"{figure.path} over {x}",
        caption=f"{figure.help[:1].upper()}{figure.help[1:]}.{curves}{interval}" + (f" For {held}." if held else ""),
        alt=f"{title} over {x}. {'; '.join(spans)}.",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    sweep = report.sweep
    # Points of a search lie scattered; pareto_set.py shows them.
    if sweep is None or sweep.objectives:
        return []
    return [drawn for figure in sweep.figures if (drawn := _figure(sweep, figure)) is not None]
