"""Curves and bars that an experiment brings along, published points beside ours."""

from __future__ import annotations

from typing import Any

import altair as alt

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.category_bars import bars
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, to_spec
from ftlab.report.figures.plot_parts import Drawn, colour_of, records_of, title_of, tooltip_of
from ftlab.report.model.reproduce import Axis, Experiment, Plot
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 90


def _scale(axis: Axis, zero: bool, **more: Any) -> alt.Scale:
    """A logarithmic axis has no zero that could be shown or left out."""
    return alt.Scale(type="log", **more) if axis.scale == "log" else alt.Scale(type="linear", zero=zero, **more)


def _y(plot: Plot) -> alt.Y:
    return alt.Y("y:Q", title=title_of(plot.y), scale=_scale(plot.y, zero=True))


def _lines(plot: Plot, records: list[Record], chosen: alt.Parameter) -> list[Any]:
    category = plot.x.scale == "category"
    x = alt.X(
        "x:N" if category else "x:Q",
        title=title_of(plot.x),
        sort=None,
        axis=alt.Axis(labelAngle=0) if category else alt.Axis(tickCount=10),
        scale=alt.Undefined if category else _scale(plot.x, zero=False, nice=False, padding=12),
    )
    shared = {
        "x": x,
        "y": _y(plot),
        "color": colour_of(plot),
        "opacity": focus_opacity(chosen),
        "tooltip": tooltip_of(plot),
    }
    ours = [record for record in records if record["source"] == "ours"]
    paper = [record for record in records if record["source"] == "paper"]
    layers: list[Any] = []
    ranges = [record for record in ours if record["low"] is not None and record["high"] is not None]
    if ranges:
        layers.append(
            alt.Chart(data(ranges))
            .mark_rule(strokeWidth=1.5)
            .encode(
                x=x,
                y=alt.Y("low:Q", title=title_of(plot.y)),
                y2="high:Q",
                color=colour_of(plot),
                opacity=focus_opacity(chosen),
            )
        )
    if paper:
        layers.append(
            alt.Chart(data(paper))
            .mark_line(strokeDash=[5, 4], strokeWidth=1.6, point={"shape": "diamond", "size": 60})
            .encode(**shared)
        )
    layers.append(alt.Chart(data(ours)).mark_line(point={"size": 55}).encode(**shared))
    layers[0] = layers[0].add_params(chosen)  # The legend listens to the first layer that has a part in it.
    return layers


def _figure(plot: Plot, experiment: Experiment) -> Figure:
    chosen = focus(f"series_{plot.name}_focus", "series")
    drawn = bars(plot, chosen) if plot.kind == "bar" else Drawn(_lines(plot, records_of(plot), chosen), 320, AXIS_WIDTH)
    chart = alt.layer(*drawn.layers).properties(width=PAGE_WIDTH - drawn.reserve, height=drawn.height)
    dashed = plot.kind == "line" and any(series.paper for series in plot.series)
    caption = " ".join(part for part in (plot.caption, "Dashed with diamonds: published." if dashed else "") if part)
    values = {series.label: [point.y for point in series.points] for series in plot.series if series.points}
    spans = [f"{label}: {min(ys):.4g} to {max(ys):.4g}" for label, ys in values.items()]
    return Figure(
        name=plot.name,
        title=plot.title,
        caption=caption,
        alt=f"{experiment.title}, {title_of(plot.y)} over {title_of(plot.x)}. {'; '.join(spans)}.",
        spec=to_spec(chart),
        reserve=drawn.reserve,
        group=experiment.name,
    )


def make(report: Report) -> list[Figure]:
    if report.reproduction is None:
        return []
    return [
        _figure(plot, experiment)
        for experiment in report.reproduction.experiments
        for plot in experiment.plots
        if any(series.points for series in plot.series)
    ]
