"""What figures owe to values that the papers leave open, an experiment after the other; folded."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.model.reproduce import Effect, Experiment, Sensitivity


def _row(experiment: Experiment, effect: Effect, repeated: bool, width: int) -> tuple[Cell, ...]:
    quantity = next(known for known in experiment.quantities if known.name == effect.quantity)
    unit = f", {quantity.unit}" if quantity.unit else ""
    cells = [
        Cell("" if repeated else effect.name, sub="" if repeated else effect.used, hint=effect.name),
        Cell(experiment.key_label(effect.keys)),
        Cell(f"{quantity.title}{unit}"),
        Cell(units.fixed(effect.ours, quantity.decimals)),
    ]
    cells += [Cell(units.fixed(ours, quantity.decimals), sub=value) for value, ours in effect.variants]
    return tuple(cells + [Cell("–", tone="muted")] * (width - len(effect.variants)))


def _table(experiment: Experiment, sensitivity: Sensitivity) -> Table:
    width = max((len(effect.variants) for effect in sensitivity.effects), default=0)
    rows = []
    last = ""
    for effect in sensitivity.effects:
        rows.append(_row(experiment, effect, effect.name == last, width))
        last = effect.name
    none = ", ".join(sensitivity.without_effect)
    return Table(
        name=f"sensitivity-{experiment.name}",
        title=f"{experiment.title}: what unpublished values decide",
        columns=(
            Column("Unpublished value"),
            Column("Row"),
            Column("Quantity"),
            Column("ours", right=True),
            *(Column("changed", right=True) for _ in range(width)),
        ),
        rows=tuple(rows),
        caption="One value at a time 20 % lower and higher, or another choice; figures that move at the digits shown.",
        notes=(f"No effect: {none}.",) if none else (),
        row_heads=3,
        folded=True,
        group=experiment.name,
    )


def make(report: Report) -> list[Table]:
    if report.reproduction is None:
        return []
    return [
        _table(experiment, experiment.sensitivity)
        for experiment in report.reproduction.experiments
        if experiment.sensitivity is not None
    ]
