"""What curves and bars of experiments share: records, colours, tooltips, titles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import altair as alt

from ftlab.report.figures.draw import Record
from ftlab.report.model.reproduce import Axis, Plot
from ftlab.report.names import RUN_COLOURS

PAPER_COLOURS = ("#97a3b2", "#707d8d", "#b9c2cc")


@dataclass(frozen=True)
class Drawn:
    """Layers of one view, its height in px, and the width in px that axes take."""

    layers: list[Any]
    height: int
    reserve: int


def title_of(axis: Axis) -> str:
    return f"{axis.title}, {axis.unit}" if axis.unit else axis.title


def records_of(plot: Plot) -> list[Record]:
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


def colours_of(plot: Plot) -> dict[str, str]:
    """Ours from the palette; a published series takes the colour of ours whose label it begins with, else a grey."""
    ours = list(dict.fromkeys(series.label for series in plot.series if not series.paper))
    colours = {label: RUN_COLOURS[index % len(RUN_COLOURS)] for index, label in enumerate(ours)}
    greys = iter(PAPER_COLOURS * len(plot.series))
    for series in plot.series:
        if series.paper and series.label not in colours:
            partner = max((label for label in ours if series.label.startswith(label)), key=len, default=None)
            colours[series.label] = next(greys) if partner is None or plot.kind == "bar" else colours[partner]
    return colours


def colour_of(plot: Plot) -> alt.Color:
    colours = colours_of(plot)
    labels = list(dict.fromkeys(series.label for series in plot.series))
    scale = alt.Scale(domain=labels, range=[colours[label] for label in labels])
    return alt.Color("series:N", title=None, scale=scale)


def tooltip_of(plot: Plot) -> list[alt.Tooltip]:
    kind = "N" if plot.x.scale == "category" else "Q"
    return [
        alt.Tooltip("series:N"),
        alt.Tooltip("source:N"),
        alt.Tooltip(f"x:{kind}", title=title_of(plot.x), format=alt.Undefined if kind == "N" else ",.5~r"),
        alt.Tooltip("y:Q", title=title_of(plot.y), format=",.5~r"),
    ]
