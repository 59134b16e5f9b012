"""Everything one page is made of. Plain data; knows neither files nor figures."""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.profile.folded import Profile
from ftlab.report.differences import alike
from ftlab.report.model.notes import Note
from ftlab.report.model.reproduce import Reproduction
from ftlab.report.model.result import Result
from ftlab.report.model.study import Battery, EnergyPerMib
from ftlab.report.model.sweep import SweepTable


@dataclass(frozen=True)
class Run:
    label: str
    result: Result
    profile: Profile | None = None
    lacks: str = ""  # why a profile that its result names is not shown


@dataclass(frozen=True)
class Report:
    """`runs` may be empty (a page about reproduction or a sweep alone); `baseline` is a label among them or empty."""

    title: str
    summary: str
    notes: tuple[Note, ...]
    runs: tuple[Run, ...]
    baseline: str
    energy_per_mib: tuple[EnergyPerMib, ...]
    battery: Battery | None
    reproduction: Reproduction | None
    sweep: SweepTable | None

    @property
    def labels(self) -> list[str]:
        return [run.label for run in self.runs]

    @property
    def comparable(self) -> bool:
        """All runs did the same work, so that one can be better than another."""
        return alike([run.result.config for run in self.runs])

    def baseline_run(self) -> Run | None:
        return next((run for run in self.runs if run.label == self.baseline), None)


def profiled(report: Report) -> list[Run]:
    """Those whose core's cycles are known, in their order."""
    return [run for run in report.runs if run.profile is not None]
