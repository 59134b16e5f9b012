"""The writing budget of FlexFS (Eq. 7 to 9) solved for given volumes, and the wear that a run leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_WINDOWS_OF_ESTIMATE = 3


@dataclass(frozen=True)
class _Budget:
    delta: list[float]
    used_mib: list[float]  # up to the end of each window


def _solved(volumes_mib: list[float], endurance_mib: float) -> _Budget:
    """When every window uses just the budget of Eq. 8."""
    delta: list[float] = []
    used: list[float] = []
    before = 0.0
    for window, volume in enumerate(volumes_mib):
        budget = (endurance_mib - before) / (len(volumes_mib) - window)  # Eq. 7
        share = 1.0
        if window > 0:  # IW is the mean of up to three windows before
            first = max(0, window - _WINDOWS_OF_ESTIMATE)
            estimate = 0.0
            for earlier in volumes_mib[first:window]:
                estimate += earlier / (window - first)
            share = min(1.0, max(0.0, (budget - estimate) / (2 * estimate)))  # Eq. 9
        delta.append(share)
        before += volume * (2 * share + 1)  # Eq. 8
        used.append(before)
    return _Budget(delta, used)


def wear_index(volumes_mib: list[float], endurance_mib: float, window: int) -> float:
    """Delta of a window, counted from 0, by Eq. 7 to 9."""
    return _solved(volumes_mib, endurance_mib).delta[window]


def written_by_budget(volumes_mib: list[float], endurance_mib: float) -> float:
    """MiB written in all, migrations included, by Eq. 7 to 9."""
    return _solved(volumes_mib, endurance_mib).used_mib[-1]


def wear_index_points(volumes_mib: list[float], endurance_mib: float) -> list[tuple[str, float]]:
    """For a plot: window, delta."""
    return [(f"w{window}", delta) for window, delta in enumerate(_solved(volumes_mib, endurance_mib).delta)]


def written_by_budget_points(volumes_mib: list[float], endurance_mib: float) -> list[tuple[str, float]]:
    """For a plot: window, MiB written up to its end."""
    return [(f"w{window}", used) for window, used in enumerate(_solved(volumes_mib, endurance_mib).used_mib)]


def erase_count_points(run: Any) -> list[tuple[float, float]]:
    """For a plot: the segments of the partition, most erased first, and their erase cycles."""
    counts = sorted(run["wear"]["erase_counts"], reverse=True)[: run["wear"]["data_segments"]["count"]]
    return [(float(place), float(count)) for place, count in enumerate(counts, start=1)]
