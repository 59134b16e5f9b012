"""Sums that docs/results.md promises. A breach becomes a warning on the page, never silence."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ftlab.report.model.notes import Note
from ftlab.report.model.result import Result
from ftlab.report.units import counted

RELATIVE = 1e-6


def _differs(parts: dict[str, float], whole: float) -> bool:
    return not math.isclose(sum(parts.values()), whole, rel_tol=RELATIVE, abs_tol=1e-9)


def balance_notes(label: str, result: Result) -> Iterator[Note]:
    """One warning for each promised sum that does not hold."""
    energy = result.energy
    active = energy.by_state_j.get("active", 0.0)
    promises = [
        ("time by cause", result.time_by_cause_s, result.simulated_s, "s"),
        ("energy by state", energy.by_state_j, energy.total_j, "J"),
        ("energy by operation", energy.by_operation_j, active, "J"),
        ("energy by cause", energy.by_cause_j, active, "J"),
    ]
    if result.dies is not None:
        worked = result.dies.mean_working * result.simulated_s
        promises += [
            ("time of dies by cause", result.dies.time_by_cause_s, worked, "s"),
            ("time of dies by operation", result.dies.time_by_operation_s, worked, "s"),
        ]
    for kind, latency in (("reads", result.read_latency), ("writes", result.write_latency)):
        if latency.parts_s:
            promises.append((f"latency of {kind} by part", latency.parts_s, latency.mean_s, "s"))
    for name, parts, whole, unit in promises:
        if _differs(parts, whole):
            yield Note(
                "warning",
                f"{label}: {name} sums to {sum(parts.values()):.6g} {unit}, but {whole:.6g} {unit} was stated.",
            )
    if result.end_reason is not None:
        yield Note("warning", f"{label}: the run ended before its workload: {result.end_reason}.")
    elif result.losses_left:
        left = counted(result.losses_left, "planned loss", "planned losses")
        yield Note("info", f"{label}: {left} of power behind the end of the run.")
    if result.host.get("wrong_reads", 0) > 0:
        yield Note("warning", f"{label}: {counted(int(result.host['wrong_reads']), 'read')} returned wrong data.")
    if result.host.get("failed_requests", 0) > 0:
        yield Note("warning", f"{label}: the device refused {counted(int(result.host['failed_requests']), 'request')}.")
