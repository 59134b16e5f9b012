"""Who runs the jobs of a sweep. Knows no tables."""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Protocol

from ftlab.program import terminate_simulations
from ftlab.sweeps.job import Job, run_job
from ftlab.sweeps.journal import Outcome

SCRATCH_PREFIX = ".ftlab-runs-"


class Pool(Protocol):
    def outcomes(self, study: Path | None, jobs: Iterable[Job]) -> Iterator[tuple[str, Outcome]]:
        """The key and the outcome of each job, as they come."""


def jobs_at_once(wanted: int | None) -> int:
    return wanted or len(os.sched_getaffinity(0))


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
            yield from _rolling(threads, lambda job: run_job(study, job, Path(scratch)), jobs, 2 * self._jobs)


def _rolling(
    threads: ThreadPoolExecutor, run: Callable[[Job], Outcome], jobs: Iterable[Job], most: int
) -> Iterator[tuple[str, Outcome]]:
    """A few more are handed out than run, so that no thread waits for the one that records."""
    waiting = iter(jobs)
    under_way: dict[Future[Outcome], str] = {}
    try:
        while True:
            for job in itertools.islice(waiting, most - len(under_way)):
                under_way[threads.submit(run, job)] = job.key
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield under_way.pop(future), future.result()
    except BaseException:
        # A thread may have begun the next one meanwhile.
        threads.shutdown(wait=False, cancel_futures=True)
        while any(future.running() for future in under_way):
            terminate_simulations()
            wait(under_way, timeout=0.05, return_when=FIRST_COMPLETED)
        raise
