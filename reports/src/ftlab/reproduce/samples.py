"""One value for each seed, and what they say together."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any


class Samples(list[Any]):
    """Values of one quantity, seed by seed. Anything else is the same for all seeds."""


def lifted(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function of the arguments, seed by seed where one of them has a value for each."""
    seeds = [len(argument) for argument in arguments if isinstance(argument, Samples)]
    if not seeds:
        return function(*arguments)
    return Samples(
        function(*(argument[seed] if isinstance(argument, Samples) else argument for argument in arguments))
        for seed in range(seeds[0])
    )


@dataclass(frozen=True)
class Summary:
    """`standard_error` of the mean; None for a value without spread over seeds, or with one seed."""

    mean: float
    standard_error: float | None


def summarized(value: Any) -> Summary:
    """Raises ValueError for what is no finite number."""
    for one in value if isinstance(value, Samples) else [value]:
        if isinstance(one, str | bytes) or not math.isfinite(one):
            raise ValueError(f"{one!r} is no finite number")
    if not isinstance(value, Samples):
        return Summary(float(value), None)
    count = len(value)
    mean = 0.0
    for one in value:
        mean += float(one) / count
    if count < 2:
        return Summary(mean, None)
    return Summary(mean, deviation(value) / math.sqrt(count))


def deviation(values: Sequence[float]) -> float:
    """Sample standard deviation of at least two values."""
    mean = 0.0
    for one in values:
        mean += float(one) / len(values)
    squares = 0.0
    for one in values:
        squares += (float(one) - mean) * (float(one) - mean)
    return math.sqrt(squares / (len(values) - 1))


class NoInterval(float):
    """Of a single value: 0 to whoever computes with it, and nothing to show."""


def interval(values: Sequence[float]) -> float:
    """Half of the 95 % interval of the mean, by Student's t; NoInterval for a single value."""
    degrees = len(values) - 1
    return _student(degrees) * deviation(values) / math.sqrt(len(values)) if degrees > 0 else NoInterval()


# Of 1, 2, ... degrees of freedom; beyond, the expansion about the normal quantile is exact to four digits.
_STUDENT = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139)


def _student(degrees: int) -> float:
    """The 97.5 % quantile."""
    if degrees <= len(_STUDENT):
        return _STUDENT[degrees - 1]
    z = NormalDist().inv_cdf(0.975)
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return float(sum(term / degrees**power for power, term in enumerate(terms)))
