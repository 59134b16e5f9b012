"""What requests waited for: by what the firmware worked for, and by what was at work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ftlab.explain.repeat import TICK_DIGITS, Record

if TYPE_CHECKING:
    import numpy as np
    import pandas

# What the array is doing, by the kinds of the operation log. Reads of the array itself are cycles of the bus.
DOING = {
    "load": "read",
    "word_program": "program",
    "buffer_program": "program",
    "erase": "erase",
    "other": "other command",
}
_BUS_CYCLES = "array_read"
_SHARES = (1.0, 0.1, 0.01, 0.001)
_SLOWEST = "the slowest"


@dataclass(frozen=True)
class Group:
    """Requests together: means in seconds. `causes` and the queue sum to the latency where one request is in flight;
    `resources` do too, but for what dies do at the same time."""

    title: str
    count: int
    least_s: float  # latency of the fastest among them
    latency_s: float
    queue_s: float
    causes: dict[str, float]
    resources: dict[str, float]
    dies: dict[str, float]  # of a part whose dies work beside the host: what an average die worked for meanwhile
    parts: dict[str, float]  # what the latency is made of; they sum to it. Empty where requests were not followed


@dataclass(frozen=True)
class Slow:
    """One request; `operations` are counted by cause and kind."""

    arrival_s: float
    kind: str
    offset: int
    bytes: int
    latency_s: float
    queue_s: float
    causes: dict[str, float]
    resources: dict[str, float]
    dies: dict[str, float]  # as in Group
    parts: dict[str, float]  # the same
    operations: dict[str, dict[str, int]]


def requests_of(record: Record, kind: str) -> pandas.DataFrame:
    """Requests of a kind with latency, queue and the time of each resource; slowest first."""
    frame = record.requests[record.requests["kind"] == kind].copy()
    frame["latency"] = frame["end_s"] - frame["arrival_s"]
    frame["queue"] = frame["begin_s"] - frame["arrival_s"]
    busy = _busy_between(record.operations, frame["begin_s"].to_numpy(), frame["end_s"].to_numpy())
    for name, seconds in busy.items():
        frame[f"device {name}"] = seconds
    for cause, seconds in _average_die(record, frame).items():
        frame[f"dies {cause}"] = seconds
    accounted = frame["cpu_s"] + frame["bus_s"] + sum(frame[f"device {name}"] for name in busy)
    # A wait ends at a timer tick or an interrupt, later than what it waits for.
    frame["else"] = (frame["end_s"] - frame["begin_s"] - accounted).round(TICK_DIGITS).clip(lower=0)
    return frame.sort_values(["latency", "end_s"], ascending=[False, True]).reset_index(drop=True)


def _spent(ops: pandas.DataFrame, at: np.ndarray) -> np.ndarray:
    """Seconds that operations, one after the other, took up to each of the times."""
    import numpy as np

    starts = ops["start_s"].to_numpy()
    busy = ops["busy_s"].to_numpy()
    before = np.concatenate([[0.0], np.cumsum(busy)])
    place = np.searchsorted(starts, at, side="right")
    inside = np.where(place > 0, np.minimum(busy[place - 1], at - starts[place - 1]), 0.0)
    done: np.ndarray = before[np.maximum(place - 1, 0)] + inside
    return done


def _busy_between(operations: pandas.DataFrame, begin: np.ndarray, end: np.ndarray) -> dict[str, np.ndarray]:
    """Seconds that the dies spent on each kind of operation in each interval, summed over dies."""
    import numpy as np

    found = {name: np.zeros(len(begin)) for name in dict.fromkeys(DOING.values())}
    for (_, kind), ops in operations[operations["kind"] != _BUS_CYCLES].groupby(["device", "kind"]):
        ops = ops.sort_values("start_s")
        found[DOING.get(str(kind), "other command")] += _spent(ops, end) - _spent(ops, begin)
    return {name: seconds for name, seconds in found.items() if seconds.any()}


def _average_die(record: Record, frame: pandas.DataFrame) -> dict[str, np.ndarray]:
    """Seconds that a die worked for each cause within each request, mean of the dies; what its planes do at the same
    time counts once. Empty where the host waits for all that the part does."""
    import numpy as np

    if "dies" not in record.result.json:
        return {}
    begin, end = frame["begin_s"].to_numpy(), frame["end_s"].to_numpy()
    found = {cause: np.zeros(len(frame)) for cause in record.causes}
    for _, ops in record.operations[record.operations["kind"] != _BUS_CYCLES].groupby("device"):
        ops = ops.sort_values("start_s")
        ends = ops["start_s"].to_numpy() + ops["busy_s"].to_numpy()
        before = np.concatenate([[0.0], np.maximum.accumulate(ends)[:-1]])
        starts = np.maximum(ops["start_s"].to_numpy(), before)
        alone = ops.assign(start_s=starts, busy_s=np.maximum(ends - starts, 0.0))
        for cause, some in alone.groupby("cause"):
            found[str(cause)] += _spent(some, end) - _spent(some, begin)
    dies = int(record.result.json["device"]["parallel_units"])
    return {cause: seconds / dies for cause, seconds in found.items()}


def _resources(row: pandas.Series | pandas.DataFrame) -> dict[str, float]:
    names = {"cpu_s": "processor", "bus_s": "bus"}
    found = {}
    for column in [*names, *(name for name in row.index if str(name).startswith("device ")), "else"]:
        found[names.get(column, str(column).removeprefix("device "))] = float(row[column])
    return found


def _causes(record: Record, row: Any) -> dict[str, float]:
    return {cause: float(row[f"{cause}_s"]) for cause in record.causes}


def _dies(record: Record, row: Any) -> dict[str, float]:
    return {cause: float(row[f"dies {cause}"]) for cause in record.causes if f"dies {cause}" in row}


def _parts(record: Record, row: Any) -> dict[str, float]:
    return {part: float(row[f"{part}_s"]) for part in record.parts}


def groups_of(record: Record, frame: pandas.DataFrame) -> list[Group]:
    """All requests, the slowest tenth, hundredth, thousandth, and the slowest one."""
    sizes = {f"the slowest {100 * share:g} %": int(len(frame) * share) for share in _SHARES[1:]}
    wanted = {"all": len(frame), **{title: size for title, size in sizes.items() if size > 1}, _SLOWEST: 1}
    found = []
    for title, size in wanted.items():
        some = frame.head(size)
        mean = some.mean(numeric_only=True)
        found.append(
            Group(
                title=title,
                count=len(some),
                least_s=float(some["latency"].iloc[-1]),
                latency_s=float(mean["latency"]),
                queue_s=float(mean["queue"]),
                causes=_causes(record, mean),
                resources=_resources(mean),
                dies=_dies(record, mean),
                parts=_parts(record, mean),
            )
        )
    return found


def slowest_of(record: Record, frame: pandas.DataFrame, count: int) -> list[Slow]:
    return [_slow(record, frame.iloc[place]) for place in range(min(count, len(frame)))]


def _slow(record: Record, row: Any) -> Slow:
    ops = record.operations
    during = ops[(ops["start_s"] < row["end_s"]) & (ops["start_s"] + ops["busy_s"] > row["begin_s"])]
    counted: dict[str, dict[str, int]] = {}
    for (cause, kind), number in during.groupby(["cause", "kind"]).size().items():
        counted.setdefault(str(cause), {})[str(kind)] = int(number)
    return Slow(
        arrival_s=float(row["arrival_s"]),
        kind=str(row["kind"]),
        offset=int(row["offset"]),
        bytes=int(row["bytes"]),
        latency_s=float(row["latency"]),
        queue_s=float(row["queue"]),
        causes=_causes(record, row),
        resources=_resources(row),
        dies=_dies(record, row),
        parts=_parts(record, row),
        operations=counted,
    )


def present(names: Sequence[dict[str, float]]) -> list[str]:
    """Those that are not 0 everywhere, in their order."""
    return [name for name in (names[0] if names else {}) if any(one[name] > 0 for one in names)]
