"""What the simulated cores of runs did, beside what the device did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ftlab.report import names, units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour
from ftlab.report.model.core import Core


def make(report: Report) -> list[Table]:
    cores = [run.result.core for run in report.runs]
    ran = [core for core in cores if core is not None]
    if not ran:
        return []
    causes = {cause for core in ran for cause, cycles in core.awake_cycles_by_cause.items() if cycles}
    states = dict.fromkeys(state for core in ran for state in core.energy_by_state_j)
    rows = [
        _row("Instructions", cores, lambda core: Cell(units.count(core.instructions))),
        _row("Interrupts", cores, lambda core: Cell(units.count(core.interrupts))),
        _row("Cycles", cores, lambda core: Cell(units.count(core.cycles))),
        _row("Asleep", cores, lambda core: _share(core.asleep_cycles, core)),
        _row("Waiting for part and registers", cores, lambda core: _share(core.bus_cycles, core)),
        *(
            _row(f"Awake for {names.title_of(cause, names.CAUSES)}", cores, partial(_awake, cause))
            for cause in names.ordered(causes, names.CAUSES)
        ),
        _row("Awake cycles a request", cores, _each),
        _row("Lines of flash read", cores, lambda core: Cell(units.count(core.flash_misses))),
        *(_row(f"Energy, {state}", cores, partial(_energy, state)) for state in states),
    ]
    columns = (
        Column("Core"),
        *(Column(run.label, right=True, swatch=run_colour(index)) for index, run in enumerate(report.runs)),
    )
    return [
        Table(
            name="core",
            title="Simulated core",
            columns=columns,
            rows=tuple(rows),
            caption="Of the measured requests. Shares are of all cycles; the energy is that of core and memory, which "
            "the energy of the device does not hold.",
        )
    ]


def _row(head: str, cores: list[Core | None], cell: Callable[[Core], Cell]) -> tuple[Cell, ...]:
    return (Cell(head), *(Cell("") if core is None else cell(core) for core in cores))


def _share(cycles: float, core: Core) -> Cell:
    return Cell(units.percent(cycles / core.cycles) if core.cycles else "", sub=units.count(cycles))


def _awake(cause: str, core: Core) -> Cell:
    return _share(core.awake_cycles_by_cause.get(cause, 0), core)


def _each(core: Core) -> Cell:
    return Cell("" if core.cycles_per_request is None else units.count(round(core.cycles_per_request)))


def _energy(state: str, core: Core) -> Cell:
    return Cell(units.joules(core.energy_by_state_j.get(state, 0)))
