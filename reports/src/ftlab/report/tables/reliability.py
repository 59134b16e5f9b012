"""What failed, what ECC put right, and how much the part stands at this rate."""

from __future__ import annotations

from collections.abc import Callable

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour


def _times(value: float) -> str:
    return units.significant(value, 3)


ROWS: tuple[tuple[str, str, Callable[[float], str]], ...] = (
    ("firmware.segments_retired", "Segments taken out of use", units.count),
    ("wear.beyond_rated", "Segments erased more often than rated", units.count),
    ("flash.failed_programs", "Programs that failed", units.count),
    ("flash.failed_erases", "Erases that failed", units.count),
    ("flash.corrected_reads", "Reads with bits put right", units.count),
    ("flash.unreadable_reads", "Reads beyond ECC", units.count),
    ("firmware.refreshes", "Segments refreshed", units.count),
    ("endurance.drive_writes", "Written, in sizes of the drive", _times),
    ("endurance.drive_writes_to_first_loss", "The same until the first segment was taken out of use", _times),
    ("endurance.bytes_at_rated", "Writes to the rated cycles, extrapolated (TBW)", units.bytes_text),
    ("endurance.drive_writes_per_day", "Drive writes a day for five years (DWPD)", _times),
)
#: Without any of these in any run there was no wear and no error to tell of.
EVENTS = tuple(path for path, _, _ in ROWS[:7])


def make(report: Report) -> list[Table]:
    results = [run.result for run in report.runs]
    if not any(result.reliability.get(path) for result in results for path in EVENTS):
        return []
    rows = []
    for path, title, text in ROWS:
        values = [result.reliability.get(path) for result in results]
        if any(values):
            cells = (Cell("" if value is None else text(value)) for value in values)
            rows.append((Cell(title), *cells))
    columns = (
        Column("Figure"),
        *(Column(run.label, right=True, swatch=run_colour(index)) for index, run in enumerate(report.runs)),
    )
    return [
        Table(
            name="reliability",
            title="Failures, errors and endurance",
            columns=columns,
            rows=tuple(rows),
            caption="Of the measured phase; of runs with several seeds, of the first. "
            "What power loss interrupted counts as failed.",
        )
    ]
