"""What the runs of the page differ in, first of all tables."""

from __future__ import annotations

from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.differences import NONE, differences
from ftlab.report.figures.draw import run_colour

MAX_RUNS_ACROSS = 6  # with more runs the table lies on its side


def _cell(value: str) -> Cell:
    return Cell(value or '""', tone="muted" if value == NONE else "")


def make(report: Report) -> list[Table]:
    if len(report.runs) < 2:
        return []
    unlike, same = differences([run.result.config for run in report.runs])
    swatches = [run_colour(index) for index in range(len(report.runs))]
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    if len(report.runs) <= MAX_RUNS_ACROSS:
        labels = zip(report.labels, swatches, strict=True)
        columns = (Column("Key"), *(Column(label, swatch=swatch) for label, swatch in labels))
        rows = tuple((Cell(it.key), *(_cell(value) for value in it.values)) for it in unlike)
    else:
        columns = (Column("Run"), *(Column(it.key) for it in unlike))
        rows = tuple(
            (Cell(label, swatch=swatches[index]), *(_cell(it.values[index]) for it in unlike))
            for index, label in enumerate(report.labels)
        )
    keys = "key is" if same == 1 else "keys are"
    if not unlike:
        columns, rows = (Column("Key"), Column("All runs")), ()
    caption = (
        f"The configuration's other {same} {keys} the same in all runs."
        if unlike
        else (f"Nothing: all {same} keys of the configuration are the same in all runs.")
    )
    if not report.comparable:
        caption += " The workloads differ, so no figure is called better or worse than another's."
    return [Table(name="differences", title="What the runs differ in", columns=columns, rows=rows, caption=caption)]
