"""One folder that ftlab wrote: its files read, its runs under their labels. Knows nothing of a page."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ftlab.errors import InputError
from ftlab.json_node import read_json
from ftlab.profile.of_result import profile_of
from ftlab.report.contents import Run
from ftlab.report.model.reproduce import Reproduction, parse_reproduction
from ftlab.report.model.result import parse_result
from ftlab.report.model.study import StudyFile, parse_study
from ftlab.report.model.sweep import SweepTable, read_sweep_table

_READ = ("result.json", "study.json", "sweep.json", "reproduce.json")


@dataclass(frozen=True)
class Folder:
    study: StudyFile | None
    reproduction: Reproduction | None
    sweep: SweepTable | None
    runs: tuple[Run, ...]

    @property
    def baseline(self) -> str:
        """The label that the study names, else the first; empty without runs."""
        return self.study.baseline if self.study else (self.runs[0].label if self.runs else "")


def read_folder(directory: Path) -> Folder:
    """Raises InputError with one line when there is nothing to report or a file cannot be used."""
    if not directory.is_dir():
        what = "is no directory" if directory.exists() else "no such directory"
        meant = f", {directory.parent}" if directory.name in _READ else ""
        raise InputError(f"{directory}: {what}; give the one that ftlab wrote its results to{meant}")
    study = _study(directory)
    reproduction = _reproduction(directory)
    sweep = read_sweep_table(directory) if (directory / "sweep.json").exists() else None
    runs = _runs(directory, study, alone=study is None and reproduction is None and sweep is None)
    if not runs and reproduction is None and sweep is None:
        raise InputError(
            f"{directory}: holds no {', '.join(_READ[:-1])} or {_READ[-1]}; "
            "give the directory that ftlab wrote its results to (--out)"
        )
    return Folder(study, reproduction, sweep, runs)


def distinct_names(directories: Sequence[Path]) -> list[str]:
    """The folders' own names, with as many of those above them as tell them apart."""
    paths = [directory.resolve() for directory in directories]
    for depth in range(1, max(len(path.parts) for path in paths) + 1):
        names = ["/".join(path.parts[-depth:]) for path in paths]
        if len(set(names)) == len(names):
            return names
    raise InputError(f"{directories[0]}: the same folder is given twice; give each once")


def relabelled(folder: Folder, name: str) -> Folder:
    """The folder's name before each label; it alone where there is one run."""
    alone = len(folder.runs) == 1

    def label(old: str) -> str:
        return name if alone else f"{name} / {old}"

    study = folder.study
    if study is not None:
        battery = study.battery
        if battery is not None:
            rows = tuple(dataclasses.replace(row, label=label(row.label)) for row in battery.rows)
            battery = dataclasses.replace(battery, rows=rows)
        energy = tuple(dataclasses.replace(row, label=label(row.label)) for row in study.energy_per_mib)
        study = dataclasses.replace(study, baseline=label(study.baseline), energy_per_mib=energy, battery=battery)
    runs = tuple(dataclasses.replace(run, label=label(run.label)) for run in folder.runs)
    return dataclasses.replace(folder, study=study, runs=runs)


def _study(directory: Path) -> StudyFile | None:
    path = directory / "study.json"
    return parse_study(read_json(path)) if path.exists() else None


def _reproduction(directory: Path) -> Reproduction | None:
    path = directory / "reproduce.json"
    return parse_reproduction(read_json(path)) if path.exists() else None


def _runs(directory: Path, study: StudyFile | None, alone: bool) -> tuple[Run, ...]:
    if study is not None:
        return tuple(_run(run.label, directory / run.result) for run in study.runs)
    single = directory / "result.json"
    if single.exists():
        return (_run(directory.resolve().name, single),)
    if not alone:
        return ()
    found = sorted(directory.glob("*/result.json"))
    return tuple(_run(path.parent.name, path) for path in found)


def _run(label: str, path: Path) -> Run:
    root = read_json(path)
    result = parse_result(root)
    return Run(label, result, *profile_of(root))
