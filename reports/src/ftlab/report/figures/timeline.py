"""How a run went over simulated time, whatever columns its timeline has: those that belong together share a figure.

Knows the ends of column names, not the firmware that writes them: a column of no family has a figure of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import altair as alt

from ftlab.report import names
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import Record, focus, focus_opacity, hover_points, run_colour, to_spec
from ftlab.report.figures.labels import legend_columns
from ftlab.report.figures.rates import with_rates
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 90
MAX_POINTS = 600
TIME = "time_s"
MEANS = ("throughput", "utilization")  # of families: since the sample before
WORDS = {  # what a name alone does not say
    "alpha": "alpha: from idle time",
    "delta": "delta: from lifetime",
    "slc_share": "in force",
    "write_service": "time spent writing",
}


@dataclass(frozen=True)
class Family:
    """Columns that one figure shows, as far as a run has them. `belongs` takes the column's name and values."""

    name: str
    title: str
    axis: str
    belongs: Callable[[str, tuple[float, ...]], bool]
    also: tuple[str, ...] = ()  # names without the end that tells the others

    def holds(self, column: str, values: tuple[float, ...]) -> bool:
        return column in self.also or self.belongs(column, values)


def _ending(*ends: str) -> Callable[[str, tuple[float, ...]], bool]:
    return lambda column, _: column.endswith(ends)


FAMILIES = (
    Family("throughput", "Throughput", "MiB/s", _ending("_mib_per_s")),
    Family("utilization", "Utilization", "share of the time", _ending("_utilization")),
    Family("shares", "Shares", "share", _ending("_share"), ("alpha", "delta")),
    Family("segments", "Segments by kind", "segments", _ending("_segments")),
    Family("erases", "Segments erased", "segments, up to then", _ending("erases")),
    Family("pages", "Pages", "pages", _ending("_pages", "pages_copied"), ("pages_to_slc", "pages_to_mlc")),
    Family("requests", "Requests", "requests, up to then", _ending("requests")),
    Family("seconds", "Times", "s", _ending("_s")),
    Family("mib", "Amounts", "MiB", _ending("_mib")),
)


def words(column: str) -> str:
    for end in ("_mib_per_s", "_utilization", "_segments", "_mib", "_s"):
        column = column.removesuffix(end)
    return WORDS.get(column, names.plain(column))


def families(timeline: dict[str, tuple[float, ...]]) -> list[tuple[Family, list[str]]]:
    """Each with its columns; columns that stay 0 say nothing."""
    columns = [name for name, values in timeline.items() if name != TIME and any(values)]
    found: list[tuple[Family, list[str]]] = []
    for family in FAMILIES:
        members = [name for name in columns if family.holds(name, timeline[name])]
        columns = [name for name in columns if name not in members]
        if members:
            found.append((family, members))
    alone = [(Family(name, names.capitalized(words(name)), words(name), _ending(name)), [name]) for name in columns]
    return found + alone


def _records(timeline: dict[str, tuple[float, ...]], columns: list[str]) -> list[Record]:
    """Long timelines are thinned: every nth sample, and the last."""
    times = timeline[TIME]
    step = -(-len(times) // MAX_POINTS)
    shown = sorted({*range(0, len(times), step), len(times) - 1})
    return [{"time": times[i], "value": timeline[name][i], "line": words(name)} for name in columns for i in shown]


def _figure(run: Run, timeline: dict[str, tuple[float, ...]], family: Family, columns: list[str], index: int) -> Figure:
    name = f"{family.name.replace('_', '-')}-over-time-{index}"
    chosen = focus(f"timeline_{name}", "line")
    lines = list(dict.fromkeys(words(column) for column in columns))
    scale = alt.Scale(domain=lines, range=[run_colour(position) for position in range(len(lines))])
    legend = alt.Legend(columns=legend_columns(lines, PAGE_WIDTH)) if len(lines) > 1 else None
    records = _records(timeline, columns)
    x = alt.X("time:Q", title="simulated time, s", scale=alt.Scale(nice=False))
    y = alt.Y("value:Q", title=family.axis, axis=alt.Axis(format=",.4~r"))
    points = hover_points(records)
    drawn = (
        alt.Chart(points.data)
        .mark_line(strokeWidth=1.8, interpolate="step-before" if family.name in MEANS else "step-after")
        .encode(
            x=x,
            y=y,
            color=alt.Color("line:N", title=None, scale=scale, legend=legend),
            opacity=focus_opacity(chosen) if legend else alt.value(1),
        )
    )
    hover = points.encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("line:N", title="line"),
            alt.Tooltip("time:Q", title="time, s", format=",.4~r"),
            alt.Tooltip("value:Q", title=family.axis, format=",.4~r"),
        ],
    )
    chart = alt.layer(drawn.add_params(chosen) if legend else drawn, hover)
    ends = ", ".join(f"{words(column)} {timeline[column][-1]:.4g}" for column in columns)
    sampled = "Means between two samples." if family.name in MEANS else "Sampled between requests."
    seed = f" Of seed {run.result.seed}, the first." if run.result.ensemble else ""
    return Figure(
        name=name,
        title=f"{family.title} over time: {run.label}",
        caption=f"{sampled}{seed}",
        alt=f"{run.label}, {len(timeline[TIME])} samples up to {timeline[TIME][-1]:.4g} s; at the end: {ends}.",
        spec=to_spec(chart.properties(width=PAGE_WIDTH - AXIS_WIDTH, height=240)),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    return [
        _figure(run, timeline, family, columns, index)
        for index, run in enumerate(report.runs)
        if (timeline := with_rates(run.result.timeline))
        for family, columns in families(timeline)
    ]
