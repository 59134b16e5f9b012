"""How far a sweep is."""

from __future__ import annotations

from ftlab.progress import ProgressLine
from ftlab.report.units import counted
from ftlab.sweeps.journal import Outcome


class SweepProgress(ProgressLine):
    def __init__(self, points: int, seeds: int, quiet: bool) -> None:
        super().__init__(counted(points, "point") + (f" of {seeds} seeds" if seeds > 1 else ""), "runs", quiet)
        self._failed = 0

    def record(self, done: int, total: int, outcome: Outcome | None) -> None:
        """Runs there so far, runs wanted, and the outcome that came last; none: that is how it begins."""
        if outcome is None:
            self.begin(done, total)
            return
        self._failed += bool(outcome.reason)
        self.update(done, total, f"{self._failed} failed" if self._failed else "")
