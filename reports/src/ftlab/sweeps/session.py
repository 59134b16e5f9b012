"""From points to outcomes in one folder: what its journal lacks is run, and recorded as it comes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from ftlab.errors import InputError
from ftlab.runs import setting
from ftlab.sweeps.axes import Settings
from ftlab.sweeps.identity import Inputs
from ftlab.sweeps.job import Job
from ftlab.sweeps.journal import Journal, Outcome, run_key
from ftlab.sweeps.pool import SCRATCH_PREFIX, Pool
from ftlab.sweeps.spec import Sweep
from ftlab.sweeps.table import OUTPUTS

Progress = Callable[[int, int, Outcome | None], None]
"""Runs there so far, runs wanted, and the outcome that came last."""


class Session:
    """Holds the folder while it lives. Ended without an error, it makes sure that what it recorded belongs together."""

    def __init__(self, sweep: Sweep, folder: Path, pool: Pool, start_over: bool = False) -> None:
        """Raises InputError when the folder holds other results, or runs of something else."""
        self._sweep = sweep
        self._pool = pool
        self._inputs = Inputs(sweep)
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder}: is a file, not a folder; choose another --out")
        if not start_over and not Journal.is_in(folder):
            _refuse_foreign(folder)
        self._journal = Journal(folder, self._inputs.identity, start_over)
        for left in folder.glob(f"{SCRATCH_PREFIX}*"):  # by one that was killed
            shutil.rmtree(left, ignore_errors=True)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        try:
            if error is None:
                self._inputs.check_names()
        except InputError:
            self._journal.forget_new()
            raise
        finally:
            self._journal.close()

    @property
    def outcomes(self) -> dict[str, Outcome]:
        return self._journal.outcomes

    def reported(self) -> list[Outcome]:
        """All of them, with what the program said about settings said about the axes."""
        return [self._about_axes(outcome) for outcome in self.outcomes.values()]

    def _about_axes(self, outcome: Outcome) -> Outcome:
        notes = tuple(self._sweep.about_axis(note) for note in outcome.notes)
        return replace(outcome, reason=self._sweep.about_axis(outcome.reason), notes=notes)

    def at(self, point: Settings) -> list[Outcome]:
        """Of each seed, the first one first."""
        seeds = range(self._sweep.first_seed, self._sweep.first_seed + self._sweep.seeds)
        return [self._about_axes(self.outcomes[run_key(point, seed)]) for seed in seeds]

    def run(self, points: list[Settings], progress: Progress = lambda *_: None) -> None:
        """Afterwards there is an outcome of every run of these points."""
        asked = {job.key: job for job in self._jobs(points)}
        missing = [job for key, job in asked.items() if key not in self.outcomes]
        done = len(asked) - len(missing)
        progress(done, len(asked), None)
        if not missing:
            return
        for key, outcome in self._pool.outcomes(self._sweep.study, missing):
            self._inputs.check_files()
            self._journal.add(key, outcome)
            done += 1
            progress(done, len(asked), outcome)

    def _jobs(self, points: Iterable[Settings]) -> Iterator[Job]:
        sweep = self._sweep
        for point in points:
            settings = tuple(setting(key, value) for key, value in (sweep.base | point).items())
            for seed in range(sweep.first_seed, sweep.first_seed + sweep.seeds):
                yield Job(run_key(point, seed), (*settings, f"seed={seed}"))


def _refuse_foreign(folder: Path) -> None:
    for name in OUTPUTS:
        if (folder / name).exists():
            raise InputError(f"{folder / name}: is of no sweep; choose another --out, or replace it with --force")
