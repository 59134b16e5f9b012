"""What a page says over a sweep about points that failed, and those that the device's end of life cut short."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ftlab.report.model.notes import Note
from ftlab.report.model.sweep import Point, SweepTable
from ftlab.report.sweep_words import point_name

MOST_NAMED = 5  # points of one note


def _of(count: int, all_runs: int) -> str:
    """How many of a point's runs; nothing where it is the only one."""
    return f"{count} of {all_runs} runs" if all_runs > 1 else ""


def _named(sweep: SweepTable, points: Sequence[Point], more: Callable[[Point], str]) -> str:
    named = []
    for point in points[:MOST_NAMED]:
        said = more(point)
        named.append(point_name(sweep, point) + (f" ({said})" if said else ""))
    left = len(points) - len(named)
    return "; ".join(named) + (f"; and {left} more in table.csv" if left else "")


def sweep_notes(sweep: SweepTable) -> Iterator[Note]:
    whole = [point for point in sweep.points if point.failed and not point.runs]
    partly = [point for point in sweep.points if point.failed and point.runs]
    early = [point for point in sweep.points if point.ended_early]
    total = len(sweep.points)
    if whole:
        verb = "has" if len(whole) == 1 else "have"
        named = _named(sweep, whole, lambda point: point.reason)
        yield Note("warning", f"{len(whole)} of {total} points failed and {verb} no figures: {named}.")
    if partly:

        def which(point: Point) -> str:
            return f"{_of(point.failed, point.failed + point.runs)}: {point.reason}"

        named = _named(sweep, partly, which)
        yield Note(
            "warning", f"Of {len(partly)} of {total} points some runs failed, means are over the others: {named}."
        )
    if early:
        named = _named(sweep, early, lambda point: _of(point.ended_early, point.runs))
        yield Note(
            "warning",
            f"{len(early)} of {total} points ended early, as the device came to its end of life before the workload's "
            f"end: {named}. Their figures are of less work than those of other points.",
        )
