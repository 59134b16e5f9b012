"""Time and energy by cause and by operation in numbers, with shares; folded, since the figures show them."""

from __future__ import annotations

from collections.abc import Callable

from ftlab.report import names, units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour
from ftlab.report.model.result import Result


def _table(
    report: Report,
    name: str,
    title: str,
    parts_of: Callable[[Result], dict[str, float]],
    known: dict[str, tuple[str, str]],
    text: Callable[[float], str],
) -> Table:
    all_parts = [parts_of(run.result) for run in report.runs]
    kinds = names.ordered({kind for parts in all_parts for kind, value in parts.items() if value != 0}, known)
    swatches = names.colours(kinds, known)
    rows = []
    for kind, swatch in zip(kinds, swatches, strict=True):
        cells = []
        for parts in all_parts:
            total = sum(parts.values())
            value = parts.get(kind, 0.0)
            cells.append(Cell(text(value), sub=units.percent(value / total) if total else ""))
        rows.append((Cell(names.title_of(kind, known), swatch=swatch), *cells))
    rows.append(
        (Cell("total", tone="strong"), *(Cell(text(sum(parts.values())), tone="strong") for parts in all_parts))
    )
    columns = (
        Column(""),
        *(Column(run.label, right=True, swatch=run_colour(index)) for index, run in enumerate(report.runs)),
    )
    return Table(name=name, title=title, columns=columns, rows=tuple(rows), folded=True)


def time(report: Report) -> list[Table]:
    if not report.runs:
        return []
    return [
        _table(
            report,
            "time-table",
            "Simulated time by cause, in numbers",
            lambda r: r.time_by_cause_s,
            names.CAUSES,
            units.seconds,
        )
    ]


def energy(report: Report) -> list[Table]:
    if not report.runs:
        return []
    return [
        _table(
            report,
            "energy-cause-table",
            "Energy of the whole run by cause, in numbers",
            lambda r: r.energy.by_cause_j | r.energy.background_j(),
            names.CAUSES,
            units.joules,
        ),
        _table(
            report,
            "energy-operation-table",
            "Energy of the whole run by operation, in numbers",
            lambda r: r.energy.by_operation_j | r.energy.background_j(),
            names.OPERATIONS,
            units.joules,
        ),
    ]
