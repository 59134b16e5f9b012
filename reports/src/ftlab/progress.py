"""How far many runs are, and how long they will take: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

_LINE_EVERY_S = 30.0


class _Shown:
    """While it is entered its bar, if it has one, is on the terminal."""

    _bar: Progress | None = None

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()


class ProgressLine(_Shown):
    """`what` is counted, such as runs."""

    def __init__(self, title: str, what: str, quiet: bool) -> None:
        self._quiet = quiet
        self._what = what
        self._begun = self._said = time.monotonic()
        self._there = 0
        console = Console(stderr=True)
        if not quiet and console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(what),
                TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn(), TextColumn("{task.fields[label]}"),
                console=console, transient=True, speed_estimate_period=24 * 3600,
            )  # fmt: skip
            self._task = self._bar.add_task(title, total=None, label="")

    def begin(self, done: int, total: int) -> None:
        """So many are there already; time left is counted from here on."""
        self._there, self._begun = done, time.monotonic()
        if self._bar:
            self._bar.reset(self._task, completed=done, total=total)
        elif done > 0 and not self._quiet:
            print(f"ftlab: {done} of {total} {self._what} are there already", file=sys.stderr)

    def update(self, done: int, total: int, label: str = "") -> None:
        if self._bar:
            self._bar.update(self._task, completed=done, total=total, label=label)
            return
        now = time.monotonic()
        if self._quiet or now - self._said < _LINE_EVERY_S:
            return
        self._said = now
        left = (now - self._begun) / max(1, done - self._there) * (total - done)
        print(f"ftlab: {done} of {total} {self._what}, {left:.0f} s left", file=sys.stderr, flush=True)


class Portion(_Shown):
    """How far one step is, whose end is known: a bar on a terminal, nothing elsewhere."""

    def __init__(self, title: str) -> None:
        console = Console(stderr=True)
        if console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TextColumn("left"),
                TimeRemainingColumn(), console=console, transient=True,
            )  # fmt: skip
            self._task = self._bar.add_task(title, total=1.0)

    def update(self, share: float) -> None:
        if self._bar:
            self._bar.update(self._task, completed=share)
