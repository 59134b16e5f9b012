"""Figures of a sweep against each other, two at a time: the points that none beats in both are joined.

Which way a figure is better is known of throughput, energy, the 99th percentile and lifetime; others are left out.
"""

from __future__ import annotations

import itertools

from ftlab.report.blocks import Block, Pair
from ftlab.report.contents import Report
from ftlab.report.figures.pair_plot import Side, pair_of, points_with, shown
from ftlab.report.model.sweep import SweepTable

MORE_IS_BETTER = {  # by the end of a figure's path; what people weigh first comes first
    "write_bytes_per_s": True,
    "p99_s": False,
    "j_per_host_mib": False,
    "lifetime_s": True,
    "lifetime_mib": True,
    "read_bytes_per_s": True,
    "total_j": False,
    "wear.max": False,
    "write_amplification": False,
}
MAX_FIGURES = 4


def wanted(path: str) -> bool | None:
    """Whether more of the figure is better; None where that is not known."""
    return next((more for end, more in MORE_IS_BETTER.items() if path.endswith(end)), None)


def sides_of(sweep: SweepTable) -> list[Side]:
    """The figures that are weighed against each other, where several points have them."""
    ends = list(MORE_IS_BETTER)
    known = [figure.path for figure in sweep.figures if wanted(figure.path) is not None]
    known.sort(key=lambda path: next(place for place, end in enumerate(ends) if path.endswith(end)))
    sides = [Side(path, bool(wanted(path))) for path in known]
    return [side for side in sides if len(points_with(sweep, side)) > 1][:MAX_FIGURES]


def front(points: list[tuple[float, float]], more: tuple[bool, bool]) -> list[bool]:
    """For each point whether no other is at least as good in both figures and better in one."""
    good = [tuple(value if up else -value for value, up in zip(point, more, strict=True)) for point in points]
    return [not any(other != own and other[0] >= own[0] and other[1] >= own[1] for other in good) for own in good]


def _pair(sweep: SweepTable, x: Side, y: Side) -> Pair:
    points = points_with(sweep, x, y)
    best = front([(point.estimates[x.path].mean, point.estimates[y.path].mean) for point in points], (x.more, y.more))
    said = "Joined: the points that no other beats in both."
    return pair_of(sweep, "trade-off", x, y, points, best, said, join=True)


def make(report: Report) -> list[Block]:
    sweep = report.sweep
    # Of a search pareto_set.py shows what was sought.
    if sweep is None or sweep.objectives:
        return []
    return shown("trade-off", [_pair(sweep, x, y) for x, y in itertools.combinations(sides_of(sweep), 2)])
