"""Who runs the jobs of a sweep. Knows no tables."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from ftlab.sweeps.job import Job, run_job
from ftlab.sweeps.journal import Outcome
from ftlab.threads import finished

_MOST_AT_ONCE = 2**31
SCRATCH_PREFIX = ".ftlab-runs-"


class Pool(Protocol):
    def outcomes(self, study: Path | None, jobs: Iterable[Job]) -> Iterator[tuple[str, Outcome]]:
        """The key and the outcome of each job, as they come."""


def jobs_at_once(wanted: int | None) -> int:
    return min(wanted or len(os.sched_getaffinity(0)), _MOST_AT_ONCE)


class LocalPool:
    """On this machine, some at a time. What runs write goes into a folder in `folder`, removed afterwards."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._folder = folder
        self._jobs = jobs

    def outcomes(self, study: Path | None, jobs: Iterable[Job]) -> Iterator[tuple[str, Outcome]]:
        with (
            tempfile.TemporaryDirectory(prefix=SCRATCH_PREFIX, dir=self._folder) as scratch,
            ThreadPoolExecutor(self._jobs) as threads,
        ):
            for job, outcome in finished(threads, lambda job: run_job(study, job, Path(scratch)), jobs, 2 * self._jobs):
                yield job.key, outcome
