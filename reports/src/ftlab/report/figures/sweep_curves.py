"""Each figure of a sweep over the first numeric axis, a curve for each combination of those that are named next; what
is left is held, and picked on the page."""

from __future__ import annotations

import itertools

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures import axis_room
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, to_spec
from ftlab.report.figures.early_ends import EarlyEnds
from ftlab.report.figures.held_axes import Held
from ftlab.report.model.sweep import Point, SweepFigure, SweepTable, is_number
from ftlab.report.names import RUN_COLOURS
from ftlab.report.sweep_words import figure_name, figure_scale, key_name, key_scale, value_text, with_unit
from ftlab.report.theme import PAGE_WIDTH
from ftlab.report.units import Scale

MARKS = alt.ExprRef("ceil(width / 80)")  # of an axis of numbers; the width is known on the page
AXIS_WIDTH = 110
MOST_CURVES = 8
AS_GIVEN = ",.9~r"  # the library rounds to the distance between marks: to nothing where there is one
BAND = (0.18, 0.04)  # opacity of an interval, and of one whose curve is faded


def x_axis(sweep: SweepTable) -> str:
    """The numeric axis that is named first; where none is numeric, the first. One that varies comes before others."""
    varied = [axis for axis in sweep.axes if len(sweep.values(axis)) > 1] or list(sweep.axes)
    numeric = [axis for axis in varied if all(is_number(value) for value in sweep.values(axis))]
    return (numeric or varied)[0]


def curve_axes(sweep: SweepTable, x: str) -> tuple[list[str], list[str]]:
    """Axes whose combinations have a curve each, those named first, as many as can be told apart; and the others."""
    chosen: list[str] = []
    held: list[str] = []
    curves = 1
    for axis in sweep.axes:
        count = len(sweep.values(axis))
        if axis == x:
            continue
        if curves * count <= MOST_CURVES:
            chosen.append(axis)
            curves *= count
        else:
            held.append(axis)
    return chosen, held


def _label(point: Point, axes: list[str]) -> str:
    return ", ".join(value_text(axis, point.settings[axis]) for axis in axes) or "all points"


def _interval(mean: float, half: float | None) -> Record:
    if half is None:  # one run says nothing of an interval
        return {"interval": "–"}
    low, high = mean - half, mean + half
    return {"low": low, "high": high, "interval": f"{units.significant(low, 5)} to {units.significant(high, 5)}"}


def _records(
    sweep: SweepTable, figure: SweepFigure, x: str, axes: list[str], held: Held, across: Scale | None, up: Scale
) -> list[Record]:
    records: list[Record] = []
    early = EarlyEnds(sweep)
    for point in sweep.points:
        estimate = point.estimates.get(figure.path)
        if estimate is None:
            continue
        mean = estimate.mean / up.divisor
        value = point.settings[x]
        place: object = value_text(x, value) if across is None else float(value) / across.divisor
        records.append(
            {
                "curve": _label(point, axes),
                "x": place,
                "y": mean,
                **_interval(mean, None if estimate.half is None else estimate.half / up.divisor),
                **early.record(point),
                **held.record(point),
            }
        )
    return records


def _figure(sweep: SweepTable, figure: SweepFigure) -> Figure | None:
    x = x_axis(sweep)
    axes, others = curve_axes(sweep, x)
    numeric = all(is_number(value) for value in sweep.values(x))
    name = f"sweep-{figure.path.replace('.', '-').replace('_', '-')}"
    held = Held(sweep, others, name)
    across_scale, up_scale = key_scale(sweep, x) if numeric else None, figure_scale(sweep, figure)
    records = _records(sweep, figure, x, axes, held, across_scale, up_scale)
    first = held.first(records)
    early = EarlyEnds(sweep)
    if not records:
        return None
    labels = list(dict.fromkeys(str(record["curve"]) for record in records))
    colours = list(itertools.islice(itertools.cycle(RUN_COLOURS), len(labels)))
    chosen = focus(f"{name}_focus", "curve")
    x_name = key_name(x, sweep.axes)
    x_title = x_name if across_scale is None else with_unit(x_name, across_scale)
    title = with_unit(figure_name(figure.path), up_scale)
    across = alt.X("x:N", title=x_title)
    if numeric:
        across = alt.X(
            "x:Q", title=x_title, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=MARKS, format=AS_GIVEN)
        )
    legend = alt.Legend(symbolOpacity=1)
    colour = alt.Color("curve:N", scale=alt.Scale(domain=labels, range=colours), title=None, legend=legend)
    opacity = focus_opacity(chosen)
    base = held.filtered(alt.Chart(data(records)))
    up = alt.Y("y:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(format=",.4~r"))
    names = [key_name(axis, sweep.axes) for axis in axes]
    intervals = any("low" in record for record in records)
    tooltip = [
        alt.Tooltip("curve:N", title=", ".join(names) or "curve"),
        alt.Tooltip("x:Q" if numeric else "x:N", title=x_title),
        alt.Tooltip("y:Q", title=title, format=",.5~r"),
        *([alt.Tooltip("interval:N", title="95 % interval")] if intervals else []),
        *early.tooltips(),
    ]
    layers: list[alt.Chart] = []
    if intervals:
        band = base.transform_filter("isValid(datum.low)")
        band = band.mark_area() if numeric else band.mark_rule(strokeWidth=2)
        low = alt.Y("low:Q", title=title, scale=alt.Scale(zero=False))
        shade = focus_opacity(chosen, *(BAND if numeric else ()))
        layers.append(band.encode(x=across, y=low, y2="high:Q", color=colour, opacity=shade))
    lines = base.mark_line(point={"size": 45}) if numeric else base.mark_point(filled=True, size=70)
    layers += [
        layer.encode(x=across, y=up, color=colour, opacity=opacity, tooltip=tooltip)
        for layer in (lines, *early.rings(base))
    ]
    layers[0] = layers[0].add_params(chosen)  # The legend listens to the first layer that has a part in it.
    margin = axis_room.margin_of(figure.path, [float(str(record["y"])) for record in records])
    if margin is not None:
        layers.insert(0, axis_room.room(base, across, title, margin))
    chart = held.offered(alt.layer(*layers)).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=320)
    interval = " Bands: 95 % interval of the mean." if intervals else ""
    curves = f" A curve for each {' and '.join(names)}." if axes else ""
    spans = []
    for label in labels:
        ys = [float(str(record["y"])) for record in first if record["curve"] == label]
        if ys:
            spans.append(f"{label}: {min(ys):.4g} to {max(ys):.4g}")
    return Figure(
        name=name,
        title=f"{figure_name(figure.path)} over {x_name}",
        caption=f"{figure.path}: {figure.help}.{curves}{interval}{early.said('Ringed')}",
        alt=f"{title} over {x_title}. {'; '.join(spans)}.",
        spec=to_spec(chart),
        hint=held.hint(),
        on_paper=held.on_paper(),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    sweep = report.sweep
    # Points of a search lie scattered; pareto_set.py shows them.
    if sweep is None or sweep.objectives:
        return []
    return [drawn for figure in sweep.figures if (drawn := _figure(sweep, figure)) is not None]
