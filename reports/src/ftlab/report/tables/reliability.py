"""What failed, what ECC put right, and how much the part stands at this rate."""

from __future__ import annotations

from collections.abc import Callable

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour
from ftlab.report.model.reliability import FIGURES


def _times(value: float) -> str:
    return units.significant(value, 3)


_TEXTS: dict[str, Callable[[float], str]] = {"count": units.count, "times": _times, "bytes": units.bytes_text}


def make(report: Report) -> list[Table]:
    results = [run.result for run in report.runs]
    if not any(result.reliability.get(figure.path) for result in results for figure in FIGURES if figure.event):
        return []
    rows = []
    for figure in FIGURES:
        values = [result.reliability.get(figure.path) for result in results]
        if any(values):
            cells = (Cell("" if value is None else _TEXTS[figure.kind](value)) for value in values)
            rows.append((Cell(figure.title), *cells))
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
