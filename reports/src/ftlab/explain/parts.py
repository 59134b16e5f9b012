"""Where the time of requests around a percentile went, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ftlab.explain.repeat import Record
from ftlab.report import names, units

if TYPE_CHECKING:
    import pandas

BANDS = {"p50": (0.45, 0.55), "p99": (0.985, 0.995)}  # ranks by latency, as in result.json
_LEAST = 0.005


def sentences(record: Record, kind: str, frame: pandas.DataFrame) -> list[str]:
    """`frame`: requests of the kind, slowest first. None where requests were not followed."""
    if not record.parts or frame.empty:
        return []
    fastest_first = frame.iloc[::-1]
    found = []
    for band, (low, high) in BANDS.items():
        first = min(int(low * len(frame)), len(frame) - 1)
        some = fastest_first.iloc[first : max(first + 1, int(high * len(frame)))]
        latency = float(some["latency"].mean())
        shares = {part: float(some[f"{part}_s"].mean()) / latency for part in record.parts} if latency > 0 else {}
        named = [
            f"{units.percent(share, 0)} {names.title_of(part, names.LATENCY_PARTS)}"
            for part, share in sorted(shares.items(), key=lambda item: -item[1])
            if share >= _LEAST
        ]
        found.append(f"{band} of {kind}s, {units.seconds(latency)}: {', '.join(named)}.")
    return found
