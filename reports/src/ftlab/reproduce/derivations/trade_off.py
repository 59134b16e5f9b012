"""What beats what, where several figures count at once. Less of each figure is better."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence

Points = Sequence[tuple[str | float, float]]


def beaten_by(name: str | float, first: Points, second: Points, third: Points, fourth: Points, fifth: Points) -> int:
    """How many others on an axis are no worse than `name` in five figures (`along`) and better in one."""
    figures: dict[str | float, list[float]] = {}
    for place, value in itertools.chain(first, second, third, fourth, fifth):
        figures.setdefault(place, []).append(value)
    here = figures[name]
    return sum(
        all(one <= ours for one, ours in zip(others, here, strict=True)) and others != here
        for others in figures.values()
    )


def rank_correlation(first: Points, second: Points) -> float:
    """Spearman's of two figures along the same axis (`along`): 1 where both put its values into one order."""
    if [place for place, _ in first] != [place for place, _ in second]:
        raise ValueError("rank_correlation takes figures of the same values of an axis")
    return statistics.correlation(*(_ranks([value for _, value in points]) for points in (first, second)))


def _ranks(values: Sequence[float]) -> list[float]:
    """Of equal values the mean of their places."""
    ordered = sorted(values)
    return [ordered.index(value) + (ordered.count(value) - 1) / 2 for value in values]
