"""Figures of a sweep against each other, two at a time: the points that none beats in both are joined.

Which way a figure is better is known of throughput, energy, the 99th percentile and lifetime; others are left out.
"""

from __future__ import annotations

import itertools

import altair as alt

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, run_colour, to_spec
from ftlab.report.figures.pareto_set import escaped
from ftlab.report.model.sweep import SweepTable
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 130
MORE_IS_BETTER = {  # by the end of a figure's path
    "write_bytes_per_s": True,
    "read_bytes_per_s": True,
    "j_per_host_mib": False,
    "total_j": False,
    "p99_s": False,
    "lifetime_s": True,
    "lifetime_mib": True,
    "wear.max": False,
    "write_amplification": False,
}
MAX_FIGURES = 4
KINDS = ("beaten by none", "beaten")
GREY = "#97a3b2"


def wanted(path: str) -> bool | None:
    """Whether more of the figure is better; None where that is not known."""
    return next((more for end, more in MORE_IS_BETTER.items() if path.endswith(end)), None)


def front(points: list[tuple[float, float]], more: tuple[bool, bool]) -> list[bool]:
    """For each point whether no other is at least as good in both figures and better in one."""
    good = [tuple(value if up else -value for value, up in zip(point, more, strict=True)) for point in points]
    return [not any(other != own and other[0] >= own[0] and other[1] >= own[1] for other in good) for own in good]


def _figure(sweep: SweepTable, first: str, second: str) -> Figure | None:
    points = [point for point in sweep.points if first in point.estimates and second in point.estimates]
    if len(points) < 2:
        return None
    places = [(point.estimates[first].mean, point.estimates[second].mean) for point in points]
    more = (bool(wanted(first)), bool(wanted(second)))
    best = front(places, more)
    records: list[Record] = [
        {"px": x, "py": y, "kind": KINDS[0] if unbeaten else KINDS[1], **point.settings}
        for point, (x, y), unbeaten in zip(points, places, best, strict=True)
    ]
    units = {figure.path: figure.unit for figure in sweep.figures}
    titles = [f"{path}, {units[path]}" if units[path] else path for path in (first, second)]
    linear = alt.Scale(zero=False)
    across = alt.X("px:Q", title=titles[0], scale=linear, axis=alt.Axis(format=",.4~r"))
    up = alt.Y("py:Q", title=titles[1], scale=linear, axis=alt.Axis(format=",.4~r"))
    name = f"trade-off-{first}-{second}".replace(".", "-").replace("_", "-")
    chosen = focus(f"{name.replace('-', '_')}_focus", "kind")
    colour = alt.Color("kind:N", title=None, scale=alt.Scale(domain=list(KINDS), range=[run_colour(1), GREY]))
    dots = (
        alt.Chart(data(records))
        .mark_circle(size=75)
        .encode(
            x=across,
            y=up,
            color=colour,
            opacity=focus_opacity(chosen),
            tooltip=[
                *(alt.Tooltip(f"{escaped(axis)}:N", title=axis) for axis in sweep.axes),
                alt.Tooltip("px:Q", title=titles[0], format=",.5~r"),
                alt.Tooltip("py:Q", title=titles[1], format=",.5~r"),
            ],
        )
        .add_params(chosen)
    )
    joined = [record for record in records if record["kind"] == KINDS[0]]
    line = alt.Chart(data(joined)).mark_line(strokeWidth=1.4, strokeDash=[4, 3], color=run_colour(1))
    chart = alt.layer(dots, line.encode(x=across, y=up)).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=340)
    wishes = [f"{path} {'large' if wanted(path) else 'small'}" for path in (first, second)]
    return Figure(
        name=name,
        title=f"{second} against {first}",
        caption=f"Wanted: {' and '.join(wishes)}. Joined: the points that no other beats in both.",
        alt=f"{len(points)} points, {len(joined)} of them beaten by none.",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    sweep = report.sweep
    # Of a search pareto_set.py shows what was sought.
    if sweep is None or sweep.objectives:
        return []
    known = [figure.path for figure in sweep.figures if wanted(figure.path) is not None][:MAX_FIGURES]
    pairs = itertools.combinations(known, 2)
    return [drawn for first, second in pairs if (drawn := _figure(sweep, first, second)) is not None]
