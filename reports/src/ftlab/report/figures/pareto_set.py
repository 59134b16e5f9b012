"""What a search found: every pair of its objectives, the points that none beats in front."""

from __future__ import annotations

import itertools

import altair as alt

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, to_spec
from ftlab.report.model.sweep import Objective, SweepTable
from ftlab.report.names import RUN_COLOURS
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 130
KINDS = ("beaten by none", "beaten")
GREY = "#97a3b2"


def _records(sweep: SweepTable, first: str, second: str) -> list[Record]:
    records: list[Record] = []
    for point in sweep.points:
        if first not in point.estimates or second not in point.estimates:
            continue
        where: Record = {"x": point.estimates[first].mean, "y": point.estimates[second].mean}
        records.append(where | {"kind": KINDS[0] if point.pareto else KINDS[1], **point.settings})
    return records


def escaped(axis: str) -> str:
    """A dot in a field's name would mean a field within a field."""
    return axis.replace(".", "\\.")


def _figure(sweep: SweepTable, first: Objective, second: Objective) -> Figure | None:
    records = _records(sweep, first.figure, second.figure)
    if not records:
        return None
    units = {figure.path: figure.unit for figure in sweep.figures}
    titles = [f"{it.figure}, {units[it.figure]}" if units.get(it.figure) else it.figure for it in (first, second)]
    linear = alt.Scale(zero=False)
    chart = (
        alt.Chart(data(records))
        .mark_circle(size=75)
        .encode(
            x=alt.X("x:Q", title=titles[0], scale=linear, axis=alt.Axis(format=",.4~r")),
            y=alt.Y("y:Q", title=titles[1], scale=linear, axis=alt.Axis(format=",.4~r")),
            color=alt.Color("kind:N", title=None, scale=alt.Scale(domain=list(KINDS), range=[RUN_COLOURS[1], GREY])),
            opacity=alt.condition(alt.datum.kind == KINDS[0], alt.value(1.0), alt.value(0.55)),
            tooltip=[
                *(alt.Tooltip(f"{escaped(axis)}:N", title=axis) for axis in sweep.axes),
                alt.Tooltip("x:Q", title=titles[0], format=",.5~r"),
                alt.Tooltip("y:Q", title=titles[1], format=",.5~r"),
            ],
        )
        .properties(width=PAGE_WIDTH - AXIS_WIDTH, height=360)
    )
    best = sum(record["kind"] == KINDS[0] for record in records)
    wishes = [f"{it.figure} {'large' if it.maximize else 'small'}" for it in (first, second)]
    name = "-".join(["pareto", first.figure, second.figure]).replace(".", "-").replace("_", "-")
    return Figure(
        name=name,
        title=f"{second.figure} against {first.figure}",
        caption=f"Wanted: {' and '.join(wishes)}. In front the points that no other beats in all objectives at once.",
        alt=f"{len(records)} points, {best} of them beaten by none.",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    if report.sweep is None:
        return []
    pairs = itertools.combinations(report.sweep.objectives, 2)
    return [drawn for first, second in pairs if (drawn := _figure(report.sweep, first, second)) is not None]
