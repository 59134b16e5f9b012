"""Quantities of an experiment against each other: the rows that none beats in all of its figures in front."""

from __future__ import annotations

import itertools

from ftlab.report.blocks import Block, Pair
from ftlab.report.figures.pair_plot import Side, pair_of, points_with, shown
from ftlab.report.model.reproduce import Experiment, Row
from ftlab.report.model.sweep import Estimate, Point, SweepFigure, SweepTable

MAX_FIGURES = 4  # of those that are weighed the first ones; every two of them are a chart


def _table(experiment: Experiment) -> SweepTable:
    """The rows as points of the axis that they differ in."""
    assert experiment.trade_off is not None
    axis, title = experiment.keys[0]
    figures = [quantity for quantity, _ in experiment.trade_off.figures]

    def point(row: Row) -> Point:
        cells = {one.title: Estimate(row.cells[one.name].ours, None) for one in figures if one.name in row.cells}
        return Point(
            {title: row.keys[axis]}, cells, experiment.trade_off is not None and experiment.trade_off.unbeaten(row)
        )

    return SweepTable(
        name=experiment.name,
        seeds=len(experiment.seeds),
        axes=(title,),
        figures=tuple(SweepFigure(one.title, one.unit, "") for one in figures),
        objectives=(),
        points=tuple(point(row) for row in experiment.rows),
    )


def blocks(experiment: Experiment, label: str, nth: int) -> list[Block]:
    """Of rows that are weighed against each other, the `nth` such group of their experiment, which `label` names."""
    if experiment.trade_off is None:
        return []
    table = _table(experiment)
    sides = [Side(quantity.title, more) for quantity, more in experiment.trade_off.figures]
    said = f"In front those that none beats in all {len(sides)} figures at once; the table marks them."
    kind = f"trade-off-{experiment.name}-{nth}"
    drawn = [side for side in sides if len(points_with(table, side)) > 1][:MAX_FIGURES]
    pairs: list[Pair] = []
    for x, y in itertools.combinations(drawn, 2):
        points = points_with(table, x, y)
        pairs.append(pair_of(table, kind, x, y, points, [point.pareto for point in points], said, join=False))
    return shown(kind, pairs, f"Two figures against each other: {label}" if label else "", experiment.name)
