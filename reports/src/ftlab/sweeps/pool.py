"""Runs on this machine, some at a time, each a process of the program. Knows no tables."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from ftlab.errors import RunError
from ftlab.program import simulate
from ftlab.result import numbers_of, read_result
from ftlab.sweeps.journal import Outcome


@dataclass(frozen=True)
class Job:
    key: str
    settings: tuple[str, ...]  # KEY=VALUE


def jobs_at_once(wanted: int | None) -> int:
    return wanted or len(os.sched_getaffinity(0))


class LocalPool:
    """`scratch` is made for the runs and removed afterwards."""

    def __init__(self, study: Path | None, scratch: Path, jobs: int) -> None:
        self._scratch = scratch
        self._jobs = jobs
        self._given = study
        self._numbers = itertools.count()
        self._mine = threading.local()

    def outcomes(self, jobs: Iterable[Job]) -> Iterator[tuple[str, Outcome]]:
        """As they come. Leaving the iterator early waits for what is under way and forgets it."""
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir(parents=True)
        if self._given is None:
            (self._scratch / "study.toml").write_text("")
        waiting = iter(jobs)
        try:
            with ThreadPoolExecutor(self._jobs) as threads:
                under_way: dict[Future[Outcome], str] = {}
                while True:
                    # A few more than run, so that no thread waits for the one that records.
                    for job in itertools.islice(waiting, 2 * self._jobs - len(under_way)):
                        under_way[threads.submit(self._run, job)] = job.key
                    if not under_way:
                        return
                    try:
                        done, _ = wait(under_way, return_when=FIRST_COMPLETED)
                    except BaseException:
                        threads.shutdown(wait=False, cancel_futures=True)
                        raise
                    for future in done:
                        yield under_way.pop(future), future.result()
        finally:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def _run(self, job: Job) -> Outcome:
        if not hasattr(self._mine, "folder"):
            self._mine.folder = self._scratch / str(next(self._numbers))
        folder: Path = self._mine.folder
        try:
            simulate(self._given or self._scratch / "study.toml", job.settings, folder)
        except RunError as failure:
            return Outcome({}, reason=failure.reason)
        document = read_result(folder / "result.json").json
        return Outcome(numbers_of(document), bool(document["host"]["ended_early"]))
