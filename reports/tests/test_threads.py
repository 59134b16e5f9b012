"""Jobs on threads, and what an interrupt at a bad moment leaves."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from ftlab import threads
from ftlab.threads import finished


def test_every_job_comes_with_its_result() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert dict(finished(pool, lambda job: job * job, range(20), 4)) == {job: job * job for job in range(20)}


class _InterruptedPool(ThreadPoolExecutor):
    """Ctrl-C while a job is handed out that runs already."""

    def __init__(self, begun: threading.Event) -> None:
        super().__init__(1)
        self._begun = begun

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        super().submit(fn, *args, **kwargs)
        assert self._begun.wait(60)
        raise KeyboardInterrupt


def test_an_interrupt_ends_the_simulation_that_is_just_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, terminated = threading.Event(), threading.Event()
    ended_in_time = []

    def simulation(_: int) -> None:
        begun.set()
        ended_in_time.append(terminated.wait(20))

    monkeypatch.setattr(threads, "terminate_simulations", terminated.set)
    with pytest.raises(KeyboardInterrupt), _InterruptedPool(begun) as pool:
        list(finished(pool, simulation, range(10), 4))
    assert ended_in_time == [True]


def test_an_interrupt_that_does_not_wake_the_one_who_waits_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    """As one that comes between its last look and its sleep; here it goes to another thread."""
    terminated = threading.Event()
    ended_in_time = []

    def simulation(_: int) -> None:
        time.sleep(0.3)  # until the other sleeps
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)
        ended_in_time.append(terminated.wait(10))

    monkeypatch.setattr(threads, "terminate_simulations", terminated.set)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), ThreadPoolExecutor(1) as pool:
            list(finished(pool, simulation, [1], 2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended_in_time == [True]


def test_a_job_that_has_not_begun_when_others_fail_is_left_out() -> None:
    ran = []

    def run(job: int) -> None:
        ran.append(job)
        raise ValueError(job)

    with pytest.raises(ValueError, match="0"), ThreadPoolExecutor(1) as pool:
        list(finished(pool, run, range(100), 2))
    assert len(ran) <= 2
