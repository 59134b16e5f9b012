"""Erase count of every segment, a panel for each run, with mean and one standard deviation."""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import AnyChart, Record, data, run_colour, to_spec
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 70
MOST_BARS = 480


def _group_size(segments: int) -> int:
    """Segments in one bar: large devices are drawn as means of neighbours."""
    return -(-segments // MOST_BARS)


def _panel(run: Run, colour: str, largest: float, last: bool) -> AnyChart:
    wear = run.result.wear
    counts = wear.erase_counts
    group = _group_size(len(counts))
    records: list[Record] = []
    for start in range(0, len(counts), group):
        part = counts[start : start + group]
        records.append(
            {
                "from": start,
                "to": start + len(part),
                "erases": sum(part) / len(part),
                "zero": 0,
                "segments": f"{start}" if len(part) == 1 else f"{start} to {start + len(part) - 1}",
            }
        )
    x = alt.X(
        "from:Q",
        title="segment" if last else None,
        scale=alt.Scale(domain=[0, len(counts)], nice=False),
        axis=alt.Axis(grid=False, labels=last, ticks=last, format="d"),
    )
    y = alt.Y("erases:Q", title="erase count", scale=alt.Scale(domain=[0, largest * 1.05]), axis=alt.Axis(tickCount=4))
    bars = (
        alt.Chart(data(records))
        .mark_bar(color=colour, binSpacing=0.4 if len(records) < 260 else 0, cornerRadius=0)
        .encode(
            x=x,
            x2="to:Q",
            y=y,
            y2="zero:Q",
            tooltip=[
                alt.Tooltip("segments:N", title="segment"),
                alt.Tooltip("erases:Q", title="erasures", format=",.4~r"),
            ],
        )
    )
    spread: list[Record] = [
        {"low": max(0.0, wear.mean - wear.stddev), "high": wear.mean + wear.stddev, "mean": wear.mean}
    ]
    band = alt.Chart(data(spread)).mark_rect(opacity=0.16, color="#7a8696").encode(y="low:Q", y2="high:Q")
    mean = alt.Chart(data(spread)).mark_rule(strokeDash=[5, 3], strokeWidth=1.4).encode(y="mean:Q")
    title = alt.Title(run.label, subtitle=_facts(run))
    edges: list[Record] = [{"edge": spread[0]["low"]}, {"edge": spread[0]["high"]}]
    edge = alt.Chart(data(edges)).mark_rule(strokeDash=[1, 3], strokeWidth=1.2).encode(y="edge:Q")
    return alt.layer(band, bars, edge, mean).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=130, title=title)


def _facts(run: Run) -> str:
    wear = run.result.wear
    return (
        f"mean {units.fixed(wear.mean, 2)}, standard deviation {units.fixed(wear.stddev, 2)}, "
        f"{units.count(wear.min)} to {units.count(wear.max)}"
    )


def make(report: Report) -> list[Figure]:
    runs = [run for run in report.runs if run.result.wear.erase_counts]
    if not runs:
        return []
    largest = max(max(run.result.wear.erase_counts) for run in runs) or 1
    panels = [_panel(run, run_colour(report.labels.index(run.label)), largest, last=run is runs[-1]) for run in runs]
    group = max(_group_size(len(run.result.wear.erase_counts)) for run in runs)
    neighbours = f" A bar is the mean of up to {group} neighbouring segments." if group > 1 else ""
    return [
        Figure(
            name="erase-counts",
            title="Erase count of every segment",
            caption=f"Dashed: mean; shaded between dots: one standard deviation on either side.{neighbours}",
            alt="; ".join(f"{run.label}: {_facts(run)}" for run in runs) + ".",
            spec=to_spec(alt.vconcat(*panels, spacing=22)),
            reserve=AXIS_WIDTH,
        )
    ]
