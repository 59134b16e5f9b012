"""How long a part lives, by what the first share of its life says. Needs a run with samples (platform.sample_s)."""

from __future__ import annotations

import itertools
from typing import Any


def extrapolated_life(run: Any, share: float) -> float:
    """Bytes that the host can write until the most erased segment has had its rated erase cycles, if wear goes on as it
    did while the host wrote `share` of what it wrote until the first segment was lost."""
    lost = run["host"]["bytes_written_to_first_loss"]
    if lost is None:
        raise ValueError("no segment was lost, so that the run has no share of a life")
    written = share * float(lost)
    return written * float(run["device"]["rated_erase_cycles"]) / _most_erased(run, written)


def _most_erased(run: Any, written: float) -> float:
    """Erase count of the most erased segment when the host had written so much, between samples in proportion."""
    wear = run["wear_map"]
    if wear["segments_per_cell"] != 1:
        raise ValueError("the part has too many segments for its wear map to hold each of them")
    bytes_at = dict(zip(run["timeline"]["time_s"], run["timeline"]["bytes_written"], strict=True))
    samples = [(bytes_at[time], max(counts)) for time, counts in zip(wear["time_s"], wear["erases"], strict=True)]
    for (before, low), (after, high) in itertools.pairwise(samples):
        if before <= written < after:
            return float(low + (high - low) * (written - before) / (after - before))
    return float(samples[-1][1])
