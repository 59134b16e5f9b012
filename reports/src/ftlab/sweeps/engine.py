"""From a sweep to its outcomes: what the journal lacks is run, and recorded as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ftlab.program import program
from ftlab.runs import setting
from ftlab.sweeps.journal import Journal, Outcome, identity, run_key
from ftlab.sweeps.pool import Job, LocalPool
from ftlab.sweeps.spec import Sweep

Progress = Callable[[int, int, Outcome | None], None]
"""Runs there so far, runs wanted, and the outcome that came last."""


def _wanted(sweep: Sweep) -> Iterator[Job]:
    for point in sweep.points:
        settings = tuple(setting(key, value) for key, value in (sweep.base | point).items())
        for seed in range(sweep.first_seed, sweep.first_seed + sweep.seeds):
            yield Job(run_key(point, seed), (*settings, f"seed={seed}"))


def run_sweep(
    sweep: Sweep, folder: Path, jobs: int, progress: Progress = lambda *_: None, start_over: bool = False
) -> dict[str, Outcome]:
    """Every run of the sweep, by its key. `folder` keeps the journal."""
    journal = Journal(folder, identity(program(), sweep.study, sweep.base), start_over)
    try:
        missing = [job for job in _wanted(sweep) if job.key not in journal.outcomes]
        total = len(sweep.points) * sweep.seeds
        done = total - len(missing)
        progress(done, total, None)
        pool = LocalPool(sweep.study, folder / ".scratch", jobs)
        for key, outcome in pool.outcomes(missing) if missing else ():
            journal.add(key, outcome)
            done += 1
            progress(done, total, outcome)
        return journal.outcomes
    finally:
        journal.close()
