"""What a search found: its objectives two at a time, the points that none beats in front."""

from __future__ import annotations

import itertools

from ftlab.report.blocks import Block, Pair
from ftlab.report.contents import Report
from ftlab.report.figures.pair_plot import Side, pair_of, points_with, shown
from ftlab.report.model.sweep import SweepTable


def _pair(sweep: SweepTable, x: Side, y: Side) -> Pair:
    points = points_with(sweep, x, y)
    said = "In front the points that no other beats in all objectives at once."
    return pair_of(sweep, "pareto", x, y, points, [point.pareto for point in points], said, join=False)


def make(report: Report) -> list[Block]:
    sweep = report.sweep
    if sweep is None:
        return []
    sides = [Side(objective.figure, objective.maximize) for objective in sweep.objectives]
    sides = [side for side in sides if points_with(sweep, side)]
    return shown("pareto", [_pair(sweep, x, y) for x, y in itertools.combinations(sides, 2)])
