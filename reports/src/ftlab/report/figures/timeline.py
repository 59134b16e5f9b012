"""How a run went over simulated time: segments by region, and the shares that decide where writes go."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, to_spec
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 80
MOST_POINTS = 600


@dataclass(frozen=True)
class Lines:
    """Columns of a timeline that belong into one figure, with the words for them."""

    name: str
    title: str
    axis: str
    columns: tuple[tuple[str, str], ...]


FIGURES = (
    Lines(
        "segments-over-time",
        "Segments by region over time",
        "segments",
        (("slc_segments", "SLC"), ("mlc_segments", "MLC"), ("free_segments", "free")),
    ),
    Lines(
        "shares-over-time",
        "Share of the writes that goes to the SLC region, over time",
        "share",
        (("alpha", "alpha: idle time"), ("delta", "delta: lifetime"), ("slc_share", "in force")),
    ),
)


def _records(run: Run, lines: Lines) -> list[Record]:
    """Long timelines are thinned: every nth sample."""
    timeline = run.result.timeline
    times = timeline["time_s"]
    step = -(-len(times) // MOST_POINTS)
    return [
        {"time": times[i], "value": timeline[column][i], "line": words}
        for column, words in lines.columns
        for i in range(0, len(times), step)
    ]


def _figure(run: Run, lines: Lines, index: int) -> Figure:
    chosen = focus(f"timeline_{index}_{lines.name.replace('-', '_')}", "line")
    words = [text for _, text in lines.columns]
    chart = (
        alt.Chart(data(_records(run, lines)))
        .mark_line(strokeWidth=1.8, interpolate="step-after")
        .encode(
            x=alt.X("time:Q", title="simulated time, s", scale=alt.Scale(nice=False)),
            y=alt.Y("value:Q", title=lines.axis),
            color=alt.Color("line:N", title=None, sort=words, legend=alt.Legend(orient="top")),
            opacity=focus_opacity(chosen),
            tooltip=[
                alt.Tooltip("line:N", title="line"),
                alt.Tooltip("time:Q", title="time, s", format=",.4~r"),
                alt.Tooltip("value:Q", title=lines.axis, format=",.4~r"),
            ],
        )
        .add_params(chosen)
        .properties(width=PAGE_WIDTH - AXIS_WIDTH, height=260)
    )
    timeline = run.result.timeline
    ends = ", ".join(f"{text} {timeline[column][-1]:.4g}" for column, text in lines.columns)
    return Figure(
        name=f"{lines.name}-{index}",
        title=f"{lines.title}: {run.label}",
        caption="Sampled between requests.",
        alt=f"{run.label}, at the end: {ends}.",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    return [
        _figure(run, lines, index)
        for index, run in enumerate(report.runs)
        for lines in FIGURES
        if all(column in run.result.timeline for column, _ in lines.columns)
    ]
