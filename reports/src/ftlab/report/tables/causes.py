"""Time and energy by cause and by operation in numbers, with shares; folded, since the figures show them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ftlab.report import names, units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import run_colour
from ftlab.report.model.result import Result

_Parts = Callable[[Result], dict[str, float]]


def _table(
    runs: Sequence[Run],
    colours: dict[str, str],
    name: str,
    title: str,
    parts_of: _Parts,
    known: dict[str, tuple[str, str]],
    text: Callable[[float], str],
) -> Table:
    all_parts = [parts_of(run.result) for run in runs]
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
        *(Column(run.label, right=True, swatch=colours[run.label]) for run in runs),
    )
    return Table(name=name, title=title, columns=columns, rows=tuple(rows), folded=True)


def _colours(report: Report) -> dict[str, str]:
    return {run.label: run_colour(index) for index, run in enumerate(report.runs)}


def time(report: Report) -> list[Table]:
    colours = _colours(report)
    beside = [run for run in report.runs if run.result.dies is not None]
    others = [run for run in report.runs if run.result.dies is None]
    tables = []
    if others:
        tables.append(
            _table(
                others,
                colours,
                "time-table",
                "Simulated time by cause, in numbers",
                lambda r: r.time_by_cause_s,
                names.CAUSES,
                units.seconds,
            )
        )
    if beside:
        tables += [
            _table(
                beside,
                colours,
                "die-time-cause-table",
                "Time of dies by cause, in numbers",
                lambda r: {} if r.dies is None else r.dies.time_by_cause_s,
                names.CAUSES,
                units.seconds,
            ),
            _table(
                beside,
                colours,
                "die-time-operation-table",
                "Time of dies by operation, in numbers",
                lambda r: {} if r.dies is None else r.dies.time_by_operation_s,
                names.OPERATIONS,
                units.seconds,
            ),
        ]
    return tables


def energy(report: Report) -> list[Table]:
    if not report.runs:
        return []
    return [
        _table(
            report.runs,
            _colours(report),
            "energy-cause-table",
            "Energy of the whole run by cause, in numbers",
            lambda r: r.energy.by_cause_j | r.energy.background_j(),
            names.CAUSES,
            units.joules,
        ),
        _table(
            report.runs,
            _colours(report),
            "energy-operation-table",
            "Energy of the whole run by operation, in numbers",
            lambda r: r.energy.by_operation_j | r.energy.background_j(),
            names.OPERATIONS,
            units.joules,
        ),
    ]
