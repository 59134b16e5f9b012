"""What happened when, as slices on tracks: requests of the host, operations by die and by cause, bursts on the bus."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ftlab.explain.lanes import lanes_of
from ftlab.explain.repeat import TICK_DIGITS, Record

if TYPE_CHECKING:
    import pandas

Row = dict[Hashable, Any]
TICK_S = 10.0**-TICK_DIGITS


@dataclass(frozen=True)
class Slice:
    """Times in ticks of the simulation."""

    begin: int
    end: int
    name: str
    details: dict[str, str | int]


@dataclass(frozen=True)
class Track:
    """Its slices do not overlap and are in order. `group`: host, firmware, dies or bus."""

    group: str
    name: str
    slices: list[Slice]


def tracks_of(record: Record, from_s: float, to_s: float) -> list[Track]:
    """What touches the time between, whole."""
    return [
        *_host(_between(record.requests, "begin_s", record.requests["end_s"], from_s, to_s), record.parts),
        *_operations(record.operations, from_s, to_s),
        *_bus(_between(record.bus, "start_s", record.bus["start_s"] + record.bus["busy_s"], from_s, to_s)),
    ]


def _between(frame: pandas.DataFrame, begin: str, end: Any, from_s: float, to_s: float) -> pandas.DataFrame:
    shown: pandas.DataFrame = frame[(frame[begin] < to_s) & (end > from_s)]
    return shown.sort_values(begin)


def _rows(frame: pandas.DataFrame) -> list[Row]:
    return frame.to_dict("records")


def _ticks(seconds: float) -> int:
    return round(seconds / TICK_S)


def _laned(group: str, name: str, slices: list[Slice]) -> Iterator[Track]:
    """One track, or several where slices overlap."""
    lanes = lanes_of((one.begin, one.end) for one in slices)
    for lane in sorted(set(lanes)):
        title = name if max(lanes) == 0 else f"{name} {lane}"
        yield Track(group, title, [one for one, at in zip(slices, lanes, strict=True) if at == lane])


def _host(requests: pandas.DataFrame, parts: list[str]) -> Iterator[Track]:
    slices = []
    for row in _rows(requests):
        details: dict[str, str | int] = {name: int(row[name]) for name in ("offset", "bytes")}
        details["status"] = str(row["status"])
        details |= {f"{part}_ns": round(1e9 * row[f"{part}_s"]) for part in parts if row[f"{part}_s"] > 0}
        slices.append(Slice(_ticks(row["begin_s"]), _ticks(row["end_s"]), str(row["kind"]), details))
    yield from _laned("host", "requests", slices)


def _operations(operations: pandas.DataFrame, from_s: float, to_s: float) -> Iterator[Track]:
    # Suspended time is not counted as busy: an operation's slice ends before it does then.
    shown = _between(operations, "start_s", operations["start_s"] + operations["busy_s"], from_s, to_s)
    for device, ops in shown.groupby("device"):
        slices = [_operation(row, {"cause": str(row["cause"])}) for row in _rows(ops)]
        yield from _laned("dies", f"die {device}", slices)
    for cause, ops in shown.groupby("cause"):
        slices = [_operation(row, {"die": int(row["device"])}) for row in _rows(ops)]
        yield from _laned("firmware", str(cause), slices)


def _operation(row: Row, details: dict[str, str | int]) -> Slice:
    end = _ticks(row["start_s"] + row["busy_s"])
    more: dict[str, str | int] = {name: int(row[name]) for name in ("address", "bytes", "failed")}
    return Slice(_ticks(row["start_s"]), end, str(row["kind"]), details | more)


def _bus(bursts: pandas.DataFrame) -> Iterator[Track]:
    slices = [
        Slice(
            _ticks(row["start_s"]),
            _ticks(row["start_s"] + row["busy_s"]),
            str(row["cause"]),
            {"accesses": int(row["accesses"])},
        )
        for row in _rows(bursts)
    ]
    yield from _laned("bus", "accesses", slices)
