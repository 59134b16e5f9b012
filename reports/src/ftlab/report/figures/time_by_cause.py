"""Where the time goes, for each run: that of the dies where they work beside the host, else the elapsed time."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import to_spec
from ftlab.report.figures.stacked import Bar, reserve_of, stacked, summary_of


def _figure(name: str, times: dict[str, dict[str, float]], title: str, caption: str) -> list[Figure]:
    if not times:
        return []
    scale = units.long_time_scale(max(sum(parts.values()) for parts in times.values()))
    bars = [
        Bar(label, {cause: value / scale.divisor for cause, value in parts.items()}) for label, parts in times.items()
    ]
    return [
        Figure(
            name=name,
            title=f"{title} by cause",
            caption=caption,
            hint="Click a legend entry to pick it out.",
            alt=summary_of(bars, names.CAUSES, scale.unit),
            spec=to_spec(
                stacked(
                    name.removesuffix("-by-cause"), bars, names.CAUSES, f"{title.lower()}, {scale.unit}", scale.unit
                )
            ),
            reserve=reserve_of(bars),
        )
    ]


def make(report: Report) -> list[Figure]:
    elapsed = {run.label: run.result.time_by_cause_s for run in report.runs if run.result.dies is None}
    worked = {run.label: run.result.dies.time_by_cause_s for run in report.runs if run.result.dies is not None}
    return [
        *_figure(
            "time-by-cause",
            elapsed,
            "Simulated time",
            "Elapsed time of the host, booked to what the firmware was doing.",
        ),
        *_figure(
            "die-time-by-cause",
            worked,
            "Time of dies",
            "Time in which dies worked, over all dies, booked to what they worked for.",
        ),
    ]
