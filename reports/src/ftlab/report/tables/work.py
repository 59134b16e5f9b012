"""Counted firmware work and the CPU time it cost; folded."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour


def make(report: Report) -> list[Table]:
    kinds = list(dict.fromkeys(kind for run in report.runs for kind, (count, _) in run.result.work_s.items() if count))
    if not kinds:
        return []
    rows = []
    for kind in kinds:
        cells = []
        for run in report.runs:
            count, seconds = run.result.work_s.get(kind, (0, 0.0))
            cells.append(Cell(units.count(count), sub=units.seconds(seconds)))
        rows.append((Cell(names.plain(kind)), *cells))
    columns = (
        Column("Work"),
        *(Column(run.label, right=True, swatch=run_colour(index)) for index, run in enumerate(report.runs)),
    )
    return [
        Table(
            name="work",
            title="Firmware work, counted",
            columns=columns,
            rows=tuple(rows),
            caption="Number of events, and the CPU time of the simulated host that the host profile charges for them.",
            folded=True,
        )
    ]
