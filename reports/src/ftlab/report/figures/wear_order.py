"""Segments ordered by erase count: the flatter the line, the more even the wear."""

from __future__ import annotations

import altair as alt

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, hover_points, run_scale, to_spec, whole_ticks
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 70
MOST_POINTS = 400


def _records(label: str, counts: tuple[int, ...]) -> list[Record]:
    ordered = sorted(counts)
    last = len(ordered) - 1
    steps = min(MOST_POINTS, last) or 1
    indices = sorted({round(step * last / steps) for step in range(steps + 1)})
    return [{"run": label, "share": index / last if last else 0.0, "erases": ordered[index]} for index in indices]


def _facts(run: Run) -> str:
    ordered = sorted(run.result.wear.erase_counts)
    return (
        f"{run.label}: {ordered[0]} to {ordered[-1]} erasures, half of the segments up to {ordered[len(ordered) // 2]}"
    )


def make(report: Report) -> list[Figure]:
    runs = [run for run in report.runs if run.result.wear.erase_counts]
    if not runs:
        return []
    records = [record for run in runs for record in _records(run.label, run.result.wear.erase_counts)]
    most = max(max(run.result.wear.erase_counts) for run in runs)
    chosen = focus("wear_focus", "run")
    x = alt.X(
        "share:Q",
        title="share of segments, least erased first",
        axis=alt.Axis(labelExpr="format(100 * datum.value, ',.0f') + ' %'", tickCount=10),
        scale=alt.Scale(domain=[0, 1]),
    )
    y = alt.Y(
        "erases:Q", title="erase count", scale=alt.Scale(zero=True), axis=alt.Axis(values=whole_ticks(most), format=",")
    )
    lines = alt.Chart(data(records)).mark_line(interpolate="step-after")
    chart = alt.layer(
        lines.encode(
            x=x, y=y, color=alt.Color("run:N", scale=run_scale(report), title=None), opacity=focus_opacity(chosen)
        ).add_params(chosen),
        hover_points(records).encode(
            x=x,
            y=y,
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("share:Q", title="up to this share of segments", format=".1%"),
                alt.Tooltip("erases:Q", title="erasures, at most"),
            ],
        ),
    ).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=300)
    return [
        Figure(
            name="wear-order",
            title="Evenness of wear",
            caption="Segments in the order of their erase counts. "
            "A flat line is even wear; a steep right end is a worn few.",
            alt="; ".join(_facts(run) for run in runs) + ".",
            spec=to_spec(chart),
            reserve=AXIS_WIDTH,
        )
    ]
