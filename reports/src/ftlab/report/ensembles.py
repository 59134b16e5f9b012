"""What a page says about runs with several seeds: how many, what is a mean, and what makes the means doubtful."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ftlab.report.contents import Run
from ftlab.report.model.notes import Note


def ensemble_notes(runs: Sequence[Run]) -> Iterator[Note]:
    several = [(run.label, ensemble) for run in runs if (ensemble := run.result.ensemble) is not None]
    if not several:
        return
    counts = {label: len(ensemble.seeds) for label, ensemble in several}
    if len(set(counts.values())) == 1 and len(counts) == len(runs):
        who = f"{next(iter(counts.values()))} seeds were run" + (" of each run" if len(runs) > 1 else "")
    else:
        who = "Several seeds were run: " + ", ".join(f"{label} {count}" for label, count in counts.items())
    yield Note(
        "info",
        f"{who}. Figures of merit and latencies are means over them; what is split by cause, operation, segment "
        "or time is of the first seed.",
    )
    for label, ensemble in several:
        for warning in ensemble.warnings:
            yield Note("warning", f"{label}: {warning}")
