"""From points to outcomes: what the journal lacks is run, and recorded as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ftlab.runs import setting
from ftlab.sweeps.axes import Settings
from ftlab.sweeps.identity import Unchanged, identity
from ftlab.sweeps.job import Job
from ftlab.sweeps.journal import Journal, Outcome, run_key
from ftlab.sweeps.pool import Pool
from ftlab.sweeps.spec import Sweep

Progress = Callable[[int, int, Outcome | None], None]
"""Runs there so far, runs wanted, and the outcome that came last."""


@contextmanager
def journal_of(sweep: Sweep, folder: Path, start_over: bool = False) -> Iterator[Journal]:
    journal = Journal(folder, identity(sweep), start_over)
    try:
        yield journal
    finally:
        journal.close()


def outcomes_at(sweep: Sweep, point: Settings, outcomes: dict[str, Outcome]) -> list[Outcome]:
    """Of each seed, the first one first."""
    return [outcomes[run_key(point, sweep.first_seed + i)] for i in range(sweep.seeds)]


def _jobs(sweep: Sweep, points: Iterable[Settings]) -> Iterator[Job]:
    for point in points:
        settings = tuple(setting(key, value) for key, value in (sweep.base | point).items())
        for seed in range(sweep.first_seed, sweep.first_seed + sweep.seeds):
            yield Job(run_key(point, seed), (*settings, f"seed={seed}"))


def run_points(
    sweep: Sweep, points: list[Settings], journal: Journal, pool: Pool, progress: Progress = lambda *_: None
) -> None:
    """Afterwards the journal has every run of these points."""
    asked = {job.key: job for job in _jobs(sweep, points)}
    missing = [job for key, job in asked.items() if key not in journal.outcomes]
    total = len(asked)
    done = total - len(missing)
    progress(done, total, None)
    if not missing:
        return
    unchanged = Unchanged(sweep.study)
    for key, outcome in pool.outcomes(sweep.study, missing):
        unchanged.check()
        journal.add(key, outcome)
        done += 1
        progress(done, total, outcome)
