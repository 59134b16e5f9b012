"""What a sweep varies: lists, ranges, keys that go together, Latin hypercube samples. Knows numbers, not keys."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

Settings = dict[str, Any]


class AxisError(ValueError):
    """What is wrong with an axis, without saying which."""


@dataclass(frozen=True)
class Range:
    """Both ends included; `log`: equal ratios instead of equal differences."""

    first: float
    last: float
    log: bool = False
    whole: bool = False  # both ends are whole numbers, and so are the values

    def at(self, share: float) -> float | int:
        """The value at a share of the way, 0 to 1."""
        if share == 1.0:
            value: float = self.last
        elif self.log:
            value = self.first * (self.last / self.first) ** share
        else:
            value = self.first + (self.last - self.first) * share
        # Twelve digits: 0.1 + 0.2 is meant to be 0.3.
        return round(value) if self.whole else float(f"{value:.12g}")


def parse_range(table: dict[str, Any]) -> Range:
    first, last = table["from"], table["to"]
    for name, value in (("from", first), ("to", last)):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise AxisError(f"{name} must be a number")
    log = table.get("log", False)
    if not isinstance(log, bool):
        raise AxisError("log must be true or false")
    if log and (first <= 0 or last <= 0):
        raise AxisError("a log range needs ends above 0")
    return Range(first, last, log, isinstance(first, int) and isinstance(last, int))


def values_of(axis: Any) -> list[Any]:
    """A list as it is; a table {from, to, steps} or {from, to, step} as its values."""
    if isinstance(axis, list):
        if not axis:
            raise AxisError("must not be empty")
        if len({_identity(value) for value in axis}) != len(axis):
            raise AxisError("holds a value twice")
        return axis
    if not isinstance(axis, dict) or not {"from", "to"} <= axis.keys():
        raise AxisError("must be a list, or a range such as {from = 0.5, to = 0.9, steps = 5}")
    _refuse_unknown(axis, {"from", "to", "steps", "step", "log"})
    span = parse_range(axis)
    if ("steps" in axis) == ("step" in axis):
        raise AxisError("a range has either steps (how many values) or step (their distance)")
    if "steps" in axis:
        steps = axis["steps"]
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 2:
            raise AxisError("steps must be a whole number from 2 on")
        values = [span.at(i / (steps - 1)) for i in range(steps)]
    else:
        values = _by_step(span, axis["step"])
    return list(dict.fromkeys(values))  # whole numbers may meet


def _by_step(span: Range, step: Any) -> list[float | int]:
    if span.log:
        raise AxisError("a log range has steps, not step")
    if isinstance(step, bool) or not isinstance(step, int | float) or step == 0 or not math.isfinite(step):
        raise AxisError("step must be a number other than 0")
    count = (span.last - span.first) / step
    if count < 0:
        raise AxisError("step leads away from `to`")
    if count > 1e6:
        raise AxisError("step makes more than a million values")
    whole = span.whole and isinstance(step, int)
    # The last value is there although the division rounds.
    found = [span.first + i * step for i in range(math.floor(count + 1e-9) + 1)]
    return [round(value) if whole else float(f"{value:.12g}") for value in found]


def product(axes: dict[str, list[Any]], linked: list[dict[str, list[Any]]]) -> list[Settings]:
    """Every combination; the first axis changes slowest. Axes linked in one table go through their lists together."""
    groups: list[list[Settings]] = [[{key: value} for value in values] for key, values in axes.items()]
    for table in linked:
        lengths = {len(values) for values in table.values()}
        if len(lengths) > 1:
            raise AxisError(f"linked axes must be equally long; these have {_listed(sorted(lengths))} values")
        groups.append([dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)])
    return [{key: value for part in parts for key, value in part.items()} for parts in itertools.product(*groups)]


def latin_hypercube(ranges: dict[str, Range], samples: int, seed: int) -> list[Settings]:
    """`samples` points; along each axis every one of `samples` equal shares holds one of them."""
    from scipy.stats import qmc

    drawn = qmc.LatinHypercube(d=len(ranges), seed=seed).random(samples)
    return [
        {key: span.at(float(share)) for (key, span), share in zip(ranges.items(), row, strict=True)} for row in drawn
    ]


def _identity(value: Any) -> tuple[str, str]:
    return type(value).__name__, repr(value)


def _refuse_unknown(table: dict[str, Any], known: set[str]) -> None:
    for key in table:
        if key not in known:
            raise AxisError(f"does not know {key}; it has {_listed(sorted(known))}")


def _listed(items: list[Any]) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
