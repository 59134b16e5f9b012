"""What beats what, where several figures count at once. Less of each figure is better."""

from __future__ import annotations

import itertools
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
