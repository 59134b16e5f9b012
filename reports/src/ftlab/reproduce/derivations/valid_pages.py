"""Segments by how many of their pages are valid: counts from 0 valid pages on (`flash.victims_by_valid`)."""

from __future__ import annotations

import math


def valid_share(counts: list[int], least: float, most: float) -> float:
    """Percent of the segments that have from `least` to `most` valid pages."""
    within = sum(count for valid, count in enumerate(counts) if least <= valid <= most)
    return 100.0 * within / sum(counts)


def fewest_valid(counts: list[int], percent: float) -> int:
    """The fewest valid pages that at least `percent` of the segments have."""
    return next(valid for valid, count in enumerate(counts) if 100.0 * count >= percent * sum(counts))


def occupancy_exponent(counts: list[int], least: float) -> float:
    """Of the power of i that the number of segments with i valid pages follows, from `least` pages to all of them."""
    points = [(math.log(valid), math.log(count)) for valid, count in enumerate(counts) if valid >= least and count > 0]
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def valid_points(counts: list[int], least: float) -> list[tuple[float, float]]:
    """For a plot: valid pages from `least` on, and the percent of the segments that have so many."""
    return [(valid, valid_share(counts, valid, valid)) for valid in range(int(least), len(counts))]
