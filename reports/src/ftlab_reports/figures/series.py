"""Curves and bars that an experiment brings along, published points beside ours."""

from __future__ import annotations

from typing import Any

import altair as alt

from ftlab_reports.blocks import Figure
from ftlab_reports.figures.draw import Record, data, focus, focus_opacity, to_spec
from ftlab_reports.model.reproduce import Axis, Experiment, Plot
from ftlab_reports.names import RUN_COLOURS
from ftlab_reports.report import Report
from ftlab_reports.theme import PAGE_WIDTH

AXIS_WIDTH = 90
PAPER_COLOURS = ("#97a3b2", "#707d8d", "#b9c2cc")


def _title(axis: Axis) -> str:
    return f"{axis.title}, {axis.unit}" if axis.unit else axis.title


def _records(plot: Plot) -> list[Record]:
    return [
        {
            "series": series.label,
            "x": point.x,
            "y": point.y,
            "low": point.low,
            "high": point.high,
            "source": "paper" if series.paper else "ours",
        }
        for series in plot.series
        for point in series.points
    ]


def _colours(plot: Plot) -> dict[str, str]:
    """Ours from the palette; a published series takes the colour of ours whose label it begins with, else a grey."""
    ours = list(dict.fromkeys(series.label for series in plot.series if not series.paper))
    colours = {label: RUN_COLOURS[index % len(RUN_COLOURS)] for index, label in enumerate(ours)}
    greys = iter(PAPER_COLOURS * len(plot.series))
    for series in plot.series:
        if series.paper and series.label not in colours:
            partner = max((label for label in ours if series.label.startswith(label)), key=len, default=None)
            colours[series.label] = next(greys) if partner is None or plot.kind == "bar" else colours[partner]
    return colours


def _colour(plot: Plot) -> alt.Color:
    colours = _colours(plot)
    labels = list(dict.fromkeys(series.label for series in plot.series))
    scale = alt.Scale(domain=labels, range=[colours[label] for label in labels])
    return alt.Color("series:N", title=None, scale=scale)


def _tooltip(plot: Plot) -> list[alt.Tooltip]:
    kind = "N" if plot.x.scale == "category" else "Q"
    return [
        alt.Tooltip("series:N"),
        alt.Tooltip("source:N"),
        alt.Tooltip(f"x:{kind}", title=_title(plot.x), format=alt.Undefined if kind == "N" else ",.5~r"),
        alt.Tooltip("y:Q", title=_title(plot.y), format=",.5~r"),
    ]


def _y(plot: Plot) -> alt.Y:
    log = plot.y.scale == "log"
    return alt.Y("y:Q", title=_title(plot.y), scale=alt.Scale(type="log" if log else "linear", zero=not log))


def _lines(plot: Plot, records: list[Record], chosen: alt.Parameter) -> list[Any]:
    category = plot.x.scale == "category"
    x = alt.X(
        "x:N" if category else "x:Q",
        title=_title(plot.x),
        sort=None,
        axis=alt.Axis(labelAngle=0) if category else alt.Axis(tickCount=10),
    )
    if not category:
        x = x.scale(type="log" if plot.x.scale == "log" else "linear", zero=False, nice=False, padding=12)
    shared = {
        "x": x,
        "y": _y(plot),
        "color": _colour(plot),
        "opacity": focus_opacity(chosen),
        "tooltip": _tooltip(plot),
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
                y=alt.Y("low:Q", title=_title(plot.y)),
                y2="high:Q",
                color=_colour(plot),
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
    layers[-1] = layers[-1].add_params(chosen)
    return layers


def _bars(plot: Plot, records: list[Record], chosen: alt.Parameter) -> list[Any]:
    labels = list(dict.fromkeys(series.label for series in plot.series))
    x = alt.X(
        "x:N",
        title=_title(plot.x),
        sort=None,
        axis=alt.Axis(labelAngle=0),
        scale=alt.Scale(paddingInner=0.4, paddingOuter=0.3),
    )
    offset = alt.XOffset("series:N", sort=labels)
    bars = (
        alt.Chart(data(records))
        .mark_bar()
        .encode(
            x=x, xOffset=offset, y=_y(plot), color=_colour(plot), opacity=focus_opacity(chosen), tooltip=_tooltip(plot)
        )
        .add_params(chosen)
    )
    ranges = [record for record in records if record["low"] is not None and record["high"] is not None]
    errors = alt.Chart(data(ranges)).mark_rule(strokeWidth=1.5).encode(x=x, xOffset=offset, y="low:Q", y2="high:Q")
    return [bars, errors] if ranges else [bars]


def _figure(plot: Plot, experiment: Experiment) -> Figure:
    records = _records(plot)
    chosen = focus(f"series_{plot.name.replace('-', '_')}_focus", "series")
    layers = _lines(plot, records, chosen) if plot.kind == "line" else _bars(plot, records, chosen)
    chart = alt.layer(*layers).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=320)
    dashed = plot.kind == "line" and any(series.paper for series in plot.series)
    caption = " ".join(part for part in (plot.caption, "Dashed with diamonds: published." if dashed else "") if part)
    values = {series.label: [point.y for point in series.points] for series in plot.series if series.points}
    spans = [f"{label}: {min(ys):.4g} to {max(ys):.4g}" for label, ys in values.items()]
    return Figure(
        name=plot.name,
        title=plot.title,
        caption=caption,
        alt=f"{experiment.title}, {_title(plot.y)} over {_title(plot.x)}. {'; '.join(spans)}.",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
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
