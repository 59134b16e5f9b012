"""Where the elapsed time goes, for each run."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import to_spec
from ftlab.report.figures.stacked import Bar, reserve_of, stacked, summary_of


def make(report: Report) -> list[Figure]:
    if not report.runs:
        return []
    scale = units.long_time_scale(max(run.result.simulated_s for run in report.runs))
    bars = [
        Bar(run.label, {cause: value / scale.divisor for cause, value in run.result.time_by_cause_s.items()})
        for run in report.runs
    ]
    return [
        Figure(
            name="time-by-cause",
            title="Simulated time by cause",
            caption="Elapsed time of the host, booked to what the firmware was doing. "
            "Click a legend entry to pick it out.",
            alt=summary_of(bars, names.CAUSES, scale.unit),
            spec=to_spec(stacked("time", bars, names.CAUSES, f"simulated time, {scale.unit}", scale.unit)),
            reserve=reserve_of(bars),
        )
    ]
