"""Erase counts over the segments as the run went: time from left to right, a panel for each run that took samples."""

from __future__ import annotations

from itertools import pairwise

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import AnyChart, Record, data, to_spec
from ftlab.report.figures.wear_map import COLOURS
from ftlab.report.model.result import WearOverTime
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 80
MAX_RUNS = 6
MAX_ROWS = 64  # cells from top to bottom, neighbours together


def tiles(wear: WearOverTime) -> list[Record]:
    """Each sample stands for the time since the one before."""
    starts = (0.0, *wear.times_s)
    together = -(-len(wear.erases[0]) // MAX_ROWS)
    records: list[Record] = []
    for (begin, end), row in zip(pairwise(starts), wear.erases, strict=True):
        for place, start in enumerate(range(0, len(row), together)):
            part = row[start : start + together]
            first = start * wear.segments_per_cell
            records.append(
                {
                    "from": begin,
                    "to": end,
                    "row": place,
                    "below": place + 1,
                    "segments": f"{first} to {(start + len(part)) * wear.segments_per_cell - 1}",
                    "erases": sum(part) / len(part),
                }
            )
    return records


def _panel(run: Run, wear: WearOverTime, largest: float) -> AnyChart:
    records = tiles(wear)
    scale = units.long_time_scale(wear.times_s[-1])
    for record in records:
        for end in ("from", "to"):
            record[end] = float(str(record[end])) / scale.divisor
    rows = 1 + max(int(str(record["row"])) for record in records)
    panel: alt.Chart = (
        alt.Chart(data(records))
        .mark_rect(stroke=None)
        .encode(
            x=alt.X("from:Q", title=f"time, {scale.unit}", axis=alt.Axis(tickCount=8), scale=alt.Scale(nice=False)),
            x2="to:Q",
            y=alt.Y("row:Q", title="segments", axis=alt.Axis(labels=False, ticks=False, grid=False),
                    scale=alt.Scale(domain=[rows, 0], nice=False)),
            y2="below:Q",
            color=alt.Color(
                "erases:Q",
                scale=alt.Scale(range=COLOURS, domain=[0, largest]),
                legend=alt.Legend(title="erase count", orient="top", gradientLength=160, gradientThickness=9),
            ),
            tooltip=[
                alt.Tooltip("segments:N"),
                alt.Tooltip("to:Q", title=f"at, {scale.unit}", format=",.4~r"),
                alt.Tooltip("erases:Q", title="erasures", format=",.4~r"),
            ],
        )
        .properties(width=PAGE_WIDTH - AXIS_WIDTH, height=180, title=run.label)
    )  # fmt: skip
    return panel


def make(report: Report) -> list[Figure]:
    sampled = [(run, run.result.wear_over_time) for run in report.runs]
    shown = [(run, wear) for run, wear in sampled if wear is not None][:MAX_RUNS]
    if not shown:
        return []
    largest = max(max(max(row) for row in wear.erases) for _, wear in shown) or 1
    seeds = " Of the first seed." if any(run.result.ensemble for run, _ in shown) else ""
    worst = "; ".join(
        f"{run.label}: up to {units.fixed(max(wear.erases[-1]), 1)} erasures a segment after "
        f"{units.seconds(wear.times_s[-1])}"
        for run, wear in shown
    )
    return [
        Figure(
            name="wear-over-time",
            title="Wear map over time",
            caption=f"Segments in address order from top to bottom; the darker, the more often erased by then.{seeds}",
            alt=f"{worst}.",
            spec=to_spec(alt.vconcat(*(_panel(run, wear, largest) for run, wear in shown), spacing=18)),
            reserve=AXIS_WIDTH,
        )
    ]
