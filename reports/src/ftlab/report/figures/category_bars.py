"""Values over categories: standing bars, lying ones where names are long, dots where the axis is logarithmic.

A bar's length says nothing on a logarithmic axis, so there a dot stands at the value.
"""

from __future__ import annotations

from typing import Any

import altair as alt

from ftlab.report.figures.draw import Record, data, focus_opacity, log_ticks
from ftlab.report.figures.labels import CHARACTER, Names
from ftlab.report.figures.plot_parts import Drawn, colour_of, records_of, title_of, tooltip_of
from ftlab.report.model.reproduce import Plot
from ftlab.report.theme import PAGE_WIDTH

VALUE_AXIS = 90
PLACES: dict[str, dict[str, Any]] = {  # a ring around a dot: both are seen where they agree
    "paper": {"filled": False, "shape": "diamond", "size": 190, "strokeWidth": 2},
    "ours": {"filled": True, "shape": "circle", "size": 60},
}


def _names(plot: Plot) -> list[str]:
    return list(dict.fromkeys(str(point.x) for series in plot.series for point in series.points))


def bars(plot: Plot, chosen: alt.Parameter) -> Drawn:
    """Standing where all names fit side by side, else lying."""
    names = _names(plot)
    longest = max(len(name) for name in names)
    if len(names) * (longest + 2) * CHARACTER <= PAGE_WIDTH - VALUE_AXIS and plot.y.scale != "log":
        return Drawn(_standing(plot, chosen), 320, VALUE_AXIS)
    beside = Names(tuple(names))
    rows = 1 if plot.y.scale == "log" else len(plot.series)
    height = len(names) * max(26, 14 * rows + 10, beside.row_height)
    return Drawn(_lying(plot, chosen, beside), height, beside.width + 20)


def _series(plot: Plot) -> list[str]:
    return list(dict.fromkeys(series.label for series in plot.series))


def _with_range(records: list[Record]) -> list[Record]:
    return [record for record in records if record["low"] is not None and record["high"] is not None]


def _standing(plot: Plot, chosen: alt.Parameter) -> list[Any]:
    records = records_of(plot)
    scale = alt.Scale(paddingInner=0.4, paddingOuter=0.3)
    x = alt.X("x:N", title=title_of(plot.x), sort=None, axis=alt.Axis(labelAngle=0), scale=scale)
    offset = alt.XOffset("series:N", sort=_series(plot))
    look = {"color": colour_of(plot), "opacity": focus_opacity(chosen), "tooltip": tooltip_of(plot)}
    y = alt.Y("y:Q", title=title_of(plot.y), scale=alt.Scale(zero=True))
    layers: list[Any] = [
        alt.Chart(data(records)).mark_bar().encode(x=x, xOffset=offset, y=y, **look).add_params(chosen)
    ]
    if ranges := _with_range(records):
        rule = alt.Chart(data(ranges)).mark_rule(strokeWidth=1.5)
        layers.append(rule.encode(x=x, xOffset=offset, y="low:Q", y2="high:Q"))
    return layers


def _lying(plot: Plot, chosen: alt.Parameter, beside: Names) -> list[Any]:
    records = records_of(plot)
    log = plot.y.scale == "log"
    y = alt.Y("x:N", title=None, sort=None, axis=beside.axis())
    if not log:
        y = y.scale(paddingInner=0.3)
    values = [point.y for series in plot.series for point in series.points]
    low, high = min(values) * 0.8, max(values) * 1.25
    scale = alt.Scale(type="log", domain=[low, high], nice=False) if log else alt.Scale(zero=True)
    axis = alt.Axis(format=",~r", values=log_ticks(low, high)) if log else alt.Axis(format=",~r", tickCount=6)
    x = alt.X("y:Q", title=title_of(plot.y), scale=scale, axis=axis)
    look = {"color": colour_of(plot), "opacity": focus_opacity(chosen), "tooltip": tooltip_of(plot)}
    layers: list[Any] = []
    if log:
        for source, mark in PLACES.items():
            chart = alt.Chart(data([record for record in records if record["source"] == source]))
            layers.append(chart.mark_point(**mark).encode(y=y, x=x, **look))
        layers[0] = layers[0].add_params(chosen)  # The legend listens to the first layer that has a part in it.
    else:
        offset = alt.YOffset("series:N", sort=_series(plot))
        layers.append(alt.Chart(data(records)).mark_bar().encode(y=y, yOffset=offset, x=x, **look).add_params(chosen))
    if ranges := _with_range(records):
        rule = alt.Chart(data(ranges)).mark_rule(strokeWidth=1.5)
        place = {"y": y} if log else {"y": y, "yOffset": alt.YOffset("series:N", sort=_series(plot))}
        layers.append(rule.encode(x=alt.X("low:Q", title=title_of(plot.y)), x2="high:Q", **place))
    return layers
