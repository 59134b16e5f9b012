"""Distributions of response times; of requests after a pause (FlexFS, Fig. 13) from their percentiles."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

# Percentiles are those of a histogram with bins of 1 %: below that, times are the same.
_SAME = 1.02


def _percentiles(run: Any) -> list[float]:
    found: list[float] = run["latency"]["after_pause"]["percentiles_s"]
    return found


def percent_above(run: Any, limit_s: float) -> float:
    """Percent of the requests after a pause that took longer than `limit_s`."""
    percentiles = _percentiles(run)
    return 100.0 * (len(percentiles) - bisect_right(percentiles, limit_s)) / len(percentiles)


def percent_delayed(run: Any, best: Any) -> float:
    """Percent of them that take longer than they would in `best`: the largest distance between the distributions."""
    limits = [limit * _SAME for limit in _percentiles(best)]
    return max([0.0, *(percent_above(run, limit) - percent_above(best, limit) for limit in limits)])


def distribution_points(run: Any) -> list[tuple[float, float]]:
    """For a plot: microseconds, and the percent of the requests that are done within them."""
    return [(limit * 1e6, percent) for percent, limit in enumerate(_percentiles(run), start=1)]


def slower_points(histogram: dict[str, list[float]]) -> list[tuple[float, float]]:
    """Of latency.read.histogram, for a plot: microseconds, and the share of the requests that take longer."""
    left = total = sum(histogram["counts"])
    points = []
    for edge, count in zip(histogram["edges_s"][1:], histogram["counts"], strict=True):
        left -= count
        if left > 0:
            points.append((edge * 1e6, left / total))
    return points
