"""How far a sweep is, and how long it will take: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from ftlab.sweeps.journal import Outcome

_LINE_EVERY_S = 30.0


class ProgressLine:
    def __init__(self, points: int, seeds: int, quiet: bool) -> None:
        self._title = f"{points} points" + (f" of {seeds} seeds" if seeds > 1 else "")
        self._quiet = quiet
        self._failed = 0
        self._begun = self._said = time.monotonic()
        self._there = 0
        self._bar: Progress | None = None
        console = Console(stderr=True)
        if not quiet and console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("runs"),
                TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), console=console, transient=True,
                speed_estimate_period=24 * 3600,
            )  # fmt: skip
            self._task = self._bar.add_task(self._title)

    def __enter__(self) -> ProgressLine:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()

    def update(self, done: int, total: int, outcome: Outcome | None) -> None:
        self._failed += bool(outcome and outcome.reason)
        if self._bar:
            title = self._title + (f", {self._failed} failed" if self._failed else "")
            self._bar.update(self._task, completed=done, total=total, description=title)
            return
        now = time.monotonic()
        if outcome is None:
            self._there, self._begun = done, now
        if self._quiet or (outcome is not None and now - self._said < _LINE_EVERY_S):
            return
        self._said = now
        if outcome is None and done > 0:
            print(f"ftlab: {done} of {total} runs are there already", file=sys.stderr)
        elif outcome is not None:
            here = done - self._there
            left = (now - self._begun) / max(1, here) * (total - done)
            print(f"ftlab: {done} of {total} runs, {left:.0f} s left", file=sys.stderr, flush=True)
