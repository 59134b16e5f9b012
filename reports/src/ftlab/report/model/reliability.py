"""Figures of a result that tell of wear, errors and endurance: the one list of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ftlab.json_node import Node


@dataclass(frozen=True)
class Figure:
    path: str  # in result.json
    title: str
    kind: Literal["count", "times", "bytes"]
    event: bool = False  # above 0: something failed, wore out or was put right


FIGURES = (
    Figure("firmware.segments_retired", "Segments taken out of use", "count", event=True),
    Figure("wear.beyond_rated", "Segments erased more often than rated", "count", event=True),
    Figure("flash.failed_programs", "Programs that failed", "count", event=True),
    Figure("flash.failed_erases", "Erases that failed", "count", event=True),
    Figure("flash.corrected_reads", "Reads with bits put right", "count", event=True),
    Figure("flash.unreadable_reads", "Reads beyond ECC", "count", event=True),
    Figure("page_reads.retries", "Steps of reads beyond the first", "count"),
    Figure("page_reads.uncorrectable_codewords", "Codewords beyond ECC", "count"),
    Figure("firmware.refreshes", "Segments refreshed", "count", event=True),
    Figure("endurance.drive_writes", "Written, in sizes of the drive", "times"),
    Figure("endurance.drive_writes_to_first_loss", "The same until the first segment was taken out of use", "times"),
    Figure("endurance.bytes_at_rated", "Writes to the rated cycles, extrapolated (TBW)", "bytes"),
    Figure("endurance.drive_writes_per_day", "Drive writes a day for five years (DWPD)", "times"),
)


def parse_reliability(root: Node) -> dict[str, float]:
    """Path -> value, of those that the result has."""
    found = {}
    for figure in FIGURES:
        group, key = figure.path.split(".")
        section = root.find(group)
        node = None if section is None else section.find(key)
        if node is not None:
            found[figure.path] = node.number()
    return found
