"""What a sweep varies: lists, ranges, keys that go together, Latin hypercube samples. Knows numbers, not keys."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Settings = dict[str, Any]


class AxisError(ValueError):
    """What is wrong with an axis, without saying which."""


# An axis beyond it is a slip of the pen.
_MAX_VALUES = 1_000_000


@dataclass(frozen=True)
class Range:
    """Both ends included; `log`: equal ratios instead of equal differences; `whole`: of whole numbers."""

    first: float
    last: float
    log: bool = False
    whole: bool = False

    def size(self) -> float:
        """How many values there are; of numbers with fractions as good as infinitely many."""
        return abs(self.last - self.first) + 1 if self.whole else math.inf

    def at(self, share: float) -> float | int:
        """The value at a share of the way, 0 to 1; of whole numbers the nearest one."""
        if share == 1.0:
            value: float = self.last
        elif self.log:
            value = self.first * (self.last / self.first) ** share
        else:
            value = self.first + (self.last - self.first) * share
        # Twelve digits: 0.1 + 0.2 is meant to be 0.3.
        return round(value) if self.whole else float(f"{value:.12g}")

    def sample(self, share: float) -> float | int:
        """The same for a share drawn from [0, 1): each whole number has an equal part of it."""
        if not self.whole or self.log:
            return self.at(share)
        step = 1 if self.last >= self.first else -1
        return int(self.first) + step * math.floor(share * (abs(self.last - self.first) + 1))


def parse_range(table: dict[str, Any], whole: bool) -> Range:
    """`whole`: the key takes whole numbers alone."""
    first, last = table["from"], table["to"]
    for name, value in (("from", first), ("to", last)):
        kind = int if whole else (int, float)
        if isinstance(value, bool) or not isinstance(value, kind) or not math.isfinite(value):
            raise AxisError(f"{name} must be a {'whole ' if whole else ''}number")
    if first == last:
        raise AxisError("from and to are the same; give a list of one value")
    log = table.get("log", False)
    if not isinstance(log, bool):
        raise AxisError("log must be true or false")
    if log and (first <= 0 or last <= 0):
        raise AxisError("a log range needs ends above 0")
    return Range(first, last, log, whole)


def values_of(axis: Any, whole: bool = False) -> list[Any]:
    """A list as it is; a table {from, to, steps} or {from, to, step} as its values."""
    if isinstance(axis, list):
        if not axis:
            raise AxisError("must not be empty")
        return axis
    if not isinstance(axis, dict) or not {"from", "to"} <= axis.keys():
        raise AxisError("must be a list, or a range such as {from = 0.5, to = 0.9, steps = 5}")
    _refuse_unknown(axis, {"from", "to", "steps", "step", "log"})
    span = parse_range(axis, whole)
    if ("steps" in axis) == ("step" in axis):
        raise AxisError("a range has either steps (how many values) or step (their distance)")
    if "step" in axis:
        return _by_step(span, axis["step"])
    steps = axis["steps"]
    if isinstance(steps, bool) or not isinstance(steps, int) or not 2 <= steps <= _MAX_VALUES:
        raise AxisError(f"steps must be a whole number from 2 to {_MAX_VALUES}")
    return [span.at(i / (steps - 1)) for i in range(steps)]


def _by_step(span: Range, step: Any) -> list[float | int]:
    if span.log:
        raise AxisError("a log range has steps, not step")
    kind = int if span.whole else (int, float)
    if isinstance(step, bool) or not isinstance(step, kind) or step == 0 or not math.isfinite(step):
        raise AxisError(f"step must be a {'whole ' if span.whole else ''}number other than 0")
    count = (span.last - span.first) / step
    if count < 0:
        raise AxisError("step leads away from `to`")
    if count > _MAX_VALUES:
        raise AxisError(f"step makes more than {_MAX_VALUES} values")
    # The last value is there although the division rounds.
    found = [span.first + i * step for i in range(math.floor(count + 1e-9) + 1)]
    return [round(value) if span.whole else float(f"{value:.12g}") for value in found]


@dataclass(frozen=True)
class Space:
    """Every combination of one row of each group. An axis is a group of its own; linked keys share one."""

    groups: list[list[Settings]]

    def size(self) -> int:
        return math.prod(len(group) for group in self.groups)

    def at(self, rows: Sequence[int]) -> Settings:
        return {key: value for group, row in zip(self.groups, rows, strict=True) for key, value in group[row].items()}

    def points(self) -> list[Settings]:
        """The first group changes slowest."""
        return [self.at(rows) for rows in itertools.product(*(range(len(group)) for group in self.groups))]


def rows_together(table: dict[str, list[Any]]) -> list[Settings]:
    """The rows of keys that go through their lists together."""
    lengths = sorted({len(values) for values in table.values()})
    if len(lengths) > 1:
        raise AxisError(f"linked axes must be equally long; these have {_listed(lengths)} values")
    rows = list(zip(*table.values(), strict=True))
    if len({json.dumps(row) for row in rows}) != len(rows):
        raise AxisError("linked axes have a row twice")
    return [dict(zip(table, row, strict=True)) for row in rows]


def space_of(axes: dict[str, list[Any]], linked: list[dict[str, list[Any]]]) -> Space:
    return Space([*([{key: value} for value in values] for key, values in axes.items()), *map(rows_together, linked)])


def latin_hypercube(ranges: dict[str, Range], samples: int, seed: int) -> list[Settings]:
    """`samples` points; along each axis every one of `samples` equal shares holds one of them."""
    from scipy.stats import qmc

    drawn = qmc.LatinHypercube(d=len(ranges), seed=seed).random(samples)
    return [
        {key: span.sample(float(share)) for (key, span), share in zip(ranges.items(), row, strict=True)}
        for row in drawn
    ]


def _refuse_unknown(table: dict[str, Any], known: set[str]) -> None:
    for key in table:
        if key not in known:
            raise AxisError(f"does not know {key}; it has {_listed(sorted(known))}")


def _listed(items: list[Any]) -> str:
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
