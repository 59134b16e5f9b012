"""Jobs on threads, each of which waits for a process."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from ftlab.program import terminate_simulations

J = TypeVar("J")
R = TypeVar("R")


def finished(threads: ThreadPoolExecutor, run: Callable[[J], R], jobs: Iterable[J], most: int) -> Iterator[tuple[J, R]]:
    """Each job and its result, as they come. `most` are handed out at a time: a few more than run, so that no thread
    waits for the one that records. Whatever ends this ends the simulations, too."""
    waiting = iter(jobs)
    under_way: dict[Future[R], J] = {}
    try:
        while True:
            for job in itertools.islice(waiting, most - len(under_way)):
                under_way[threads.submit(run, job)] = job
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
