"""What a page says over runs whose write amplification has not come to rest, as the console does."""

from __future__ import annotations

from collections.abc import Iterator

from ftlab.report import units
from ftlab.report.contents import Run
from ftlab.report.model.notes import Note

MOST_NAMED = 5  # runs of one note


def _said(whole: str, named: list[str], alone: bool) -> Note:
    if alone:
        return Note("info", f"{whole}.")
    left = len(named) - MOST_NAMED
    names = "; ".join(named[:MOST_NAMED]) + (f"; and {left} more" if left > 0 else "")
    return Note("info", f"{whole}: {names}.")


def steady_notes(runs: tuple[Run, ...]) -> Iterator[Note]:
    """What nobody writes never comes to rest."""
    alone = len(runs) == 1
    unknown, drifting = [], []
    for run in runs:
        state = run.result.steady_state
        if state is None or state.reached or not run.result.host["bytes_written"]:
            continue
        if state.drift is None:
            unknown.append(run.label)
        else:
            by = units.percent(abs(state.drift))
            drifting.append(f"by {by}" if alone else f"{run.label} by {by}")
    if unknown:
        yield _said("Not known to be in steady state, for too few overwrites", unknown, alone)
    if drifting:
        changed = "Not in steady state: write amplification changed over the last overwrites"
        yield _said(f"{changed} {drifting[0]}" if alone else changed.replace(": write", ", write"), drifting, alone)
