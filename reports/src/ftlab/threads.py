"""Jobs on threads, each of which waits for a process."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from ftlab.program import terminate_simulations

J = TypeVar("J")
R = TypeVar("R")
# A signal that comes when a wait is about to begin is heeded when it ends, so none lasts.
_HEED_S = 0.1


def finished(threads: ThreadPoolExecutor, run: Callable[[J], R], jobs: Iterable[J], most: int) -> Iterator[tuple[J, R]]:
    """Each job and its result, as they come. `most` are handed out at a time: a few more than run, so that no thread
    waits for the one that records. Whatever ends this ends the simulations, too."""
    waiting = iter(jobs)
    under_way: dict[Future[R], J] = {}
    # An interrupt within submit() starts a job whose future nobody holds, so jobs say themselves that they run.
    running: set[object] = set()
    ended = threading.Event()

    def announced(job: J) -> R:
        token = object()
        running.add(token)
        try:
            if ended.is_set():
                raise CancelledError
            return run(job)
        finally:
            running.discard(token)

    try:
        while True:
            for job in itertools.islice(waiting, most - len(under_way)):
                under_way[threads.submit(announced, job)] = job
            if not under_way:
                return
            done, _ = wait(under_way, timeout=_HEED_S, return_when=FIRST_COMPLETED)
            for future in [one for one in under_way if one in done]:  # as handed out
                yield under_way.pop(future), future.result()
    except BaseException:
        ended.set()
        threads.shutdown(wait=False, cancel_futures=True)
        # A job may be about to start its simulation.
        while running:
            terminate_simulations()
            time.sleep(0.01)
        raise
