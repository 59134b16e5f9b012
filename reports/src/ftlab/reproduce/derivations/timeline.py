"""Columns of a result's timeline at a time. All times are seconds since the start of the measured phase."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

_MAX_STEPS = 100_000


def _row(run: Any, column: str, after: int) -> float:
    return float(run["timeline"][column][after - 1]) if after > 0 else 0.0


def timeline_at(run: Any, column: str, time_s: float) -> float:
    """In the last row not after the time; 0 before the first."""
    return _row(run, column, bisect_right(run["timeline"]["time_s"], time_s))


def timeline_before(run: Any, column: str, time_s: float) -> float:
    """In the last row before the time; 0 before the first."""
    return _row(run, column, bisect_left(run["timeline"]["time_s"], time_s))


def _steps(from_s: float, to_s: float, step_s: float) -> list[float]:
    if not step_s > 0 or not to_s - from_s < _MAX_STEPS * step_s:
        raise ValueError(f"steps of {step_s:g} s from {from_s:g} to {to_s:g} s are none, or too many")
    steps = []
    at = from_s
    while at < to_s:
        steps.append(at)
        at += step_s
    return steps


def timeline_mean(run: Any, column: str, from_s: float, to_s: float, step_s: float) -> float:
    """Mean of the rows nearest to from_s, from_s + step_s, ... below to_s."""
    steps = _steps(from_s, to_s, step_s)
    total = 0.0
    for at in steps:
        total += timeline_at(run, column, at + step_s / 2)
    return total / len(steps)


def timeline_points(run: Any, column: str, to_s: float, step_s: float) -> list[tuple[float, float]]:
    """For a plot: seconds, and the column in the nearest row."""
    return [(at, timeline_at(run, column, at + step_s / 2)) for at in _steps(0.0, to_s, step_s)]


def window_points(run: Any, column: str, window_s: float, windows: int) -> list[tuple[str, float]]:
    """For a plot: windows w0, w1, ..., and the column at their ends."""
    return [(f"w{window}", timeline_before(run, column, (window + 1) * window_s)) for window in range(windows)]
