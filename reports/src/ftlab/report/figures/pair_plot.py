"""Two figures of a sweep against each other: the points that no other beats stand out. Knows neither why they do nor
which figures are worth it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from ftlab.report.blocks import Block, Choice, Figure, Pair
from ftlab.report.figures import axis_room
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, log_ticks, run_colour, to_spec
from ftlab.report.figures.early_ends import EarlyEnds
from ftlab.report.model.sweep import Point, SweepTable
from ftlab.report.sweep_words import figure_name, figure_scale, key_name, value_text, with_unit
from ftlab.report.theme import PAGE_WIDTH
from ftlab.report.units import Scale

AXIS_WIDTH = 130
KINDS = ("beaten by none", "beaten")
GREY = "#97a3b2"
MOST_LINEAR = 6
ROOM = 0.04  # of a logarithmic axis, beyond its points on both sides


@dataclass(frozen=True)
class Side:
    """A figure, and whether more of it is better."""

    path: str
    more: bool

    @property
    def name(self) -> str:
        return figure_name(self.path)

    def wish(self) -> str:
        return f"{self.name} {'large' if self.more else 'small'}"


def points_with(sweep: SweepTable, *sides: Side) -> list[Point]:
    """Those that have all of the figures."""
    return [point for point in sweep.points if all(side.path in point.estimates for side in sides)]


def _escaped(axis: str) -> str:
    """A dot in a field's name would mean a field within a field."""
    return axis.replace(".", "\\.")


def _unit_of(sweep: SweepTable, side: Side) -> Scale:
    return next((figure_scale(sweep, figure) for figure in sweep.figures if figure.path == side.path), Scale(1.0, ""))


def _scale_and_axis(points: Sequence[Point], side: Side, unit: Scale) -> dict[str, Any]:
    """Logarithmic where one point would press all others together."""
    values = [point.estimates[side.path].mean / unit.divisor for point in points]
    low, high = min(values), max(values)
    if low > 0 and high > MOST_LINEAR * low:
        room = (high / low) ** ROOM
        domain = [low / room, high * room]
        ticks = [tick for tick in log_ticks(*domain) if tick <= domain[1]]
        return {
            "scale": alt.Scale(type="log", nice=False, domain=domain),
            "axis": alt.Axis(format=",.4~r", values=ticks),
        }
    axis = alt.Axis(format=",.4~r", tickCount=8)
    margin = axis_room.margin_of(side.path, values)
    if margin is not None:
        return {"scale": alt.Scale(zero=False, domain=axis_room.around(values, margin)), "axis": axis}
    return {"scale": alt.Scale(zero=False), "axis": axis}


def pair_of(
    sweep: SweepTable, kind: str, x: Side, y: Side, points: Sequence[Point], best: Sequence[bool], said: str, join: bool
) -> Pair:
    """`kind` begins the figure's name. `best`: of each point whether none beats it, which `said` puts in a sentence;
    `join`: those by a line."""
    of_x, of_y = _unit_of(sweep, x), _unit_of(sweep, y)
    early = EarlyEnds(sweep)
    records: list[Record] = [
        {
            "px": point.estimates[x.path].mean / of_x.divisor,
            "py": point.estimates[y.path].mean / of_y.divisor,
            "kind": KINDS[0] if unbeaten else KINDS[1],
            **{axis: value_text(axis, value) for axis, value in point.settings.items()},
            **early.record(point),
        }
        # What comes later is drawn on top.
        for point, unbeaten in sorted(zip(points, best, strict=True), key=lambda pair: pair[1])
    ]
    titles = [with_unit(x.name, of_x), with_unit(y.name, of_y)]
    across = alt.X("px:Q", title=titles[0], **_scale_and_axis(points, x, of_x))
    up = alt.Y("py:Q", title=titles[1], **_scale_and_axis(points, y, of_y))
    name = re.sub(r"[^A-Za-z0-9]+", "-", "-".join([kind, x.path, y.path]))
    chosen = focus(f"{name}_focus", "kind")
    base = alt.Chart(data(records))
    encoding = {
        "x": across,
        "y": up,
        "color": alt.Color("kind:N", title=None, scale=alt.Scale(domain=list(KINDS), range=[run_colour(1), GREY])),
        "opacity": focus_opacity(chosen),
        "tooltip": [
            *(alt.Tooltip(f"{_escaped(axis)}:N", title=key_name(axis, sweep.axes)) for axis in sweep.axes),
            alt.Tooltip("px:Q", title=titles[0], format=",.5~r"),
            alt.Tooltip("py:Q", title=titles[1], format=",.5~r"),
            *early.tooltips(),
        ],
    }
    layers: list[alt.Chart] = [base.mark_circle(size=75).encode(**encoding).add_params(chosen)]
    layers += [ring.encode(**encoding) for ring in early.rings(base)]
    unbeaten = [record for record in records if record["kind"] == KINDS[0]]
    if join:
        line = alt.Chart(data(unbeaten)).mark_line(strokeWidth=1.4, strokeDash=[4, 3], color=run_colour(1))
        layers.append(line.encode(x=across, y=up))
    chart = alt.layer(*layers).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=340)
    figure = Figure(
        name=name,
        title=f"{y.name} against {x.name}",
        caption=f"Wanted: {x.wish()} and {y.wish()}. {said}{early.said('Ringed')}",
        alt=f"{len(records)} points, {len(unbeaten)} of them beaten by none.",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
    )
    return Pair(x.name, y.name, figure)


def shown(
    kind: str, pairs: Sequence[Pair], title: str = "Two figures against each other", group: str = ""
) -> list[Block]:
    """Of several pairs, one for each two of some figures, the reader picks one; `kind` names the choice."""
    if len(pairs) < 2:
        return [replace(pair.figure, group=group) for pair in pairs]
    return [Choice(name=kind, title=title, pairs=tuple(pairs), group=group)]
