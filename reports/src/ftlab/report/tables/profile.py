"""Cycles a request by what they were spent for, and the functions that cost most, of each run that has a profile."""

from __future__ import annotations

from ftlab.profile.calls import Function, by_cause, functions_of
from ftlab.report import names, units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report, Run, profiled

MOST = 20
_KINDS = ("executing", "waiting", "asleep")


def cycles(report: Report) -> list[Table]:
    return [_cycles(number, run, len(report.runs) > 1) for number, run in enumerate(profiled(report))]


def functions(report: Report) -> list[Table]:
    return [_functions(number, run, len(report.runs) > 1) for number, run in enumerate(profiled(report))]


def _of(run: Run, several: bool) -> str:
    return f", {run.label}" if several else ""


def _cycles(number: int, run: Run, several: bool) -> Table:
    assert run.profile is not None
    requests = run.result.host["requests"]
    all_cycles = run.profile.cycles()
    found = by_cause(run.profile)
    rows = []
    for cause in names.ordered(set(found), names.CAUSES):
        one = found[cause]
        counts = (one.executing, one.waiting, one.asleep, one.total)
        name = Cell(names.title_of(cause, names.CAUSES), swatch=names.colours([cause], names.CAUSES)[0])
        rows.append((name, *(_each(count, requests, all_cycles) for count in counts)))
    sums = [sum(getattr(one, kind) for one in found.values()) for kind in _KINDS]
    rows.append((Cell("all", tone="strong"), *(_each(count, requests, all_cycles) for count in (*sums, all_cycles))))
    return Table(
        name=f"cycles-{number}",
        title=f"Cycles a request{_of(run, several)}",
        columns=tuple(
            Column(title, right=place > 0)
            for place, title in enumerate(("For", "Executing", "Waiting for part and registers", "Asleep", "All"))
        ),
        rows=tuple(rows),
        caption=f"{units.count(all_cycles)} cycles of {units.count(requests)} requests; shares are of all cycles.",
    )


def _each(cycles: int, requests: float, of: int) -> Cell:
    if cycles == 0:
        return Cell("")
    return Cell(units.count(cycles / requests) if requests else "", sub=units.percent(cycles / of))


def _functions(number: int, run: Run, several: bool) -> Table:
    assert run.profile is not None
    found = functions_of(run.profile)
    awake = sum(stack.cycles for stack in run.profile.awake)
    return Table(
        name=f"functions-{number}",
        title=f"Functions that cost most by themselves{_of(run, several)}",
        columns=(
            Column("Function"),
            Column("By itself", right=True),
            Column("Of it waiting", right=True),
            Column("With what it calls", right=True),
            Column("Called most by"),
        ),
        rows=tuple(_row(one, awake) for one in found[:MOST]),
        caption=f"Awake cycles, and their shares of all {units.count(awake)}: {min(MOST, len(found))} of "
        f"{units.counted(len(found), 'function')}; ftlab profile has all, with callers and callees.",
    )


def _row(one: Function, awake: int) -> tuple[Cell, ...]:
    caller, cycles = min(one.callers.items(), key=lambda side: (-side[1], side[0]))
    return (
        Cell(one.name),
        Cell(units.count(one.own), sub=units.percent(one.own / awake)),
        Cell(units.count(one.waiting) if one.waiting else ""),
        Cell(units.count(one.total), sub=units.percent(one.total / awake)),
        Cell(caller, sub=units.percent(cycles / one.total, 0)),
    )
