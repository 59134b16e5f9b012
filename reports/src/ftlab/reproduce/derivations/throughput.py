"""Write throughput against use of the flash memory, one point for each MiB written (FlexFS, Figs. 10 to 12)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_STEP_BYTES = 1024.0 * 1024.0
_PLATEAU_SHARE = 10  # the first tenth of the points
Points = list[tuple[float, float]]


@dataclass(frozen=True)
class Curve:
    """A point for each MiB."""

    used: list[float]  # percent of all pages of the partition that hold valid data
    rate: list[float]  # bytes written / time spent serving writes, MB/s
    alpha: list[float]  # at the end of the MiB
    overall: float  # of the whole run, MB/s


def throughput_curve(run: Any, partition_pages: float) -> Curve:
    """`partition_pages`: pages of the partition, all counted. Needs platform.sample_s."""
    timeline = run["timeline"]
    written, service = timeline["bytes_written"], timeline["write_service_s"]
    ends = [0]
    for row in range(1, len(written)):
        step = written[row] - written[ends[-1]]
        if step >= _STEP_BYTES or (row + 1 == len(written) and step > 0):
            ends.append(row)
    return Curve(
        used=[100 * timeline["valid_pages"][end] / partition_pages for end in ends[1:]],
        rate=[
            (written[end] - written[begin]) / (service[end] - service[begin]) * 1e-6 for begin, end in pairwise(ends)
        ],
        alpha=[timeline["slc_share"][end] for end in ends[1:]],
        overall=written[-1] / service[-1] * 1e-6 if service and service[-1] > 0 else 0.0,
    )


def overall_rate(curve: Curve) -> float:
    """MB/s over the whole run."""
    return curve.overall


def mean_rate(curve: Curve, from_used: float, to_used: float) -> float:
    """Between two uses in percent, MB/s; 0 when the curve has no point there."""
    # Equal amounts of data a point: the mean rate is that of the summed times.
    seconds = 0.0
    count = 0
    for used, rate in zip(curve.used, curve.rate, strict=True):
        if from_used <= used <= to_used:
            seconds += 1 / rate
            count += 1
    return count / seconds if count else 0.0


def collapse_at(curve: Curve, share: float, points: int) -> float:
    """The use from which on the rate stays below `share` of its mean over the first tenth, for `points` points on end;
    100 when it never does."""
    head = max(1, len(curve.rate) // _PLATEAU_SHARE)
    plateau = 0.0
    for rate in curve.rate[:head]:
        plateau += rate
    plateau /= head
    for place in range(len(curve.rate)):
        if all(rate < share * plateau for rate in curve.rate[place : place + points]):
            return curve.used[place]
    return 100.0


def crossing_of(curve: Curve, other: Curve, points: int) -> float:
    """The use from which on the rate stays below the other's for `points` points on end; 100 when it never does."""
    below = 0
    for place, (rate, against) in enumerate(zip(curve.rate, other.rate, strict=False)):
        below = below + 1 if rate < against else 0
        if below == points:
            return curve.used[place + 1 - points]
    return 100.0


def steady_up_to(curve: Curve, share: float, from_used: float, to_used: float) -> float:
    """The use from which on the rate stays below `share` of its mean between two uses; the last when it does not."""
    level = share * mean_rate(curve, from_used, to_used)
    found = curve.used[-1]
    for used, rate in zip(reversed(curve.used), reversed(curve.rate), strict=True):
        if rate >= level:
            break
        found = used
    return found


def mean_alpha(curve: Curve, from_used: float, to_used: float) -> float:
    """Between two uses in percent; 0 when the curve has no point there."""
    total = 0.0
    count = 0
    for used, alpha in zip(curve.used, curve.alpha, strict=True):
        if from_used <= used <= to_used:
            total += alpha
            count += 1
    return total / count if count else 0.0


def rate_points(curve: Curve) -> Points:
    """For a plot: use in percent, MB/s."""
    return list(zip(curve.used, curve.rate, strict=True))


def alpha_points(curve: Curve) -> Points:
    """For a plot: use in percent, alpha."""
    return list(zip(curve.used, curve.alpha, strict=True))
