"""Rates from columns that only grow: what came between two samples, for each second between them."""

from __future__ import annotations

from itertools import pairwise

MIB = 1024 * 1024
SOURCES = {"bytes_written": "writes_mib_per_s", "bytes_read": "reads_mib_per_s"}


def with_rates(timeline: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    """Rates in the place of the bytes that they are made of. Empty without two samples."""
    times = timeline.get("time_s", ())
    if len(times) < 2:
        return {}
    rates = {SOURCES[name]: _rate(times, timeline[name]) for name in SOURCES if name in timeline}
    return rates | {name: values for name, values in timeline.items() if name not in SOURCES}


def _rate(times: tuple[float, ...], values: tuple[float, ...]) -> tuple[float, ...]:
    """The first sample has the rate of the second: nothing came before it."""
    steps = zip(pairwise(times), pairwise(values), strict=True)
    rates = [(new - old) / MIB / (later - time) if later > time else 0.0 for (time, later), (old, new) in steps]
    return (rates[0], *rates)
