"""From folders to a Report: joins what they hold, and says over it what the runs have in common."""

from __future__ import annotations

from pathlib import Path

from ftlab.errors import InputError
from ftlab.nearest import listed, meant
from ftlab.report.checks import balance_notes
from ftlab.report.contents import Report, Run
from ftlab.report.ensembles import ensemble_notes
from ftlab.report.folder import Folder, distinct_names, read_folder, relabelled
from ftlab.report.model.notes import Note
from ftlab.report.model.reproduce import Reproduction
from ftlab.report.model.result import MIB, Result
from ftlab.report.model.study import EnergyPerMib, StudyFile
from ftlab.report.model.sweep import SweepTable
from ftlab.report.steady_notes import steady_notes
from ftlab.report.sweep_notes import sweep_notes
from ftlab.report.sweep_words import key_name
from ftlab.report.sweep_words import listed as listed_shortly
from ftlab.report.units import counted


def load_report(directory: Path, *more: Path, baseline: str = "") -> Report:
    """`baseline`: a label; empty: the study's, or the first. Raises InputError with one line for what is of no use."""
    directories = (directory, *more)
    folders = [read_folder(path) for path in directories]
    names = distinct_names(directories)
    if more:
        folders = [relabelled(folder, name) for folder, name in zip(folders, names, strict=True)]
    runs = tuple(run for folder in folders for run in folder.runs)
    studies = [folder.study for folder in folders if folder.study]
    study = studies[0] if len(folders) == 1 and studies else None
    reproduction = next((folder.reproduction for folder in folders if folder.reproduction), None)
    sweep = next((folder.sweep for folder in folders if folder.sweep), None)
    notes = tuple(note for one in studies for note in one.notes) + (reproduction.notes if reproduction else ())
    notes += (
        tuple(steady_notes(runs))
        + tuple(ensemble_notes(runs))
        + _left_out(folders, names)
        + (tuple(sweep_notes(sweep)) if sweep else ())
    )
    energy = tuple(row for folder in folders for row in _energy_of(folder))
    return Report(
        title=_sweep_title(sweep) if sweep and not runs else _title(study, runs, reproduction),
        summary=_sweep_summary(sweep) if sweep and not runs else _summary(study, runs, reproduction),
        notes=notes + tuple(note for run in runs for note in (*balance_notes(run.label, run.result), *_lacking(run))),
        runs=runs,
        baseline=_chosen(baseline, runs) or next((folder.baseline for folder in folders if folder.baseline), ""),
        energy_per_mib=energy,
        battery=next((one.battery for one in studies if one.battery), None),
        reproduction=reproduction,
        sweep=sweep,
    )


def _lacking(run: Run) -> tuple[Note, ...]:
    return (Note("warning", f"{run.label}: {run.lacks}."),) if run.lacks else ()


def _chosen(baseline: str, runs: tuple[Run, ...]) -> str:
    labels = [run.label for run in runs]
    if not baseline or baseline in labels:
        return baseline
    if not labels:
        raise InputError(f"--baseline {baseline}: the page has no runs to compare")
    raise InputError(f"--baseline {baseline}: no run has that label{meant(baseline, labels, listed(labels))}")


def _left_out(folders: list[Folder], names: list[str]) -> tuple[Note, ...]:
    """A page shows one reproduction and one sweep; those of further folders have pages of their own."""
    named = list(zip(folders, names, strict=True))
    kinds = {
        "comparison with the papers": [name for folder, name in named if folder.reproduction],
        "sweep": [name for folder, name in named if folder.sweep],
    }
    return tuple(
        Note("info", f"The {kind} is that of {having[0]}; not shown: {', '.join(having[1:])}.")
        for kind, having in kinds.items()
        if len(having) > 1
    )


def _title(study: StudyFile | None, runs: tuple[Run, ...], reproduction: Reproduction | None) -> str:
    if study is not None:
        return study.title
    if len(runs) == 1:
        return _short(runs[0].result)
    if runs:
        return f"{len(runs)} runs compared"
    return reproduction.title if reproduction else ""


def _short(result: Result) -> str:
    """What the device is, without what its dies are; the summary below has the whole line, with supply and host."""
    return result.device.title.partition(" of ")[0]


def _summary(study: StudyFile | None, runs: tuple[Run, ...], reproduction: Reproduction | None) -> str:
    if study is not None:
        return study.summary
    if runs:
        return _in_common(runs)
    count = len(reproduction.experiments) if reproduction else 0
    return f"Published numbers beside ours: {counted(count, 'experiment')}."


def _sweep_summary(sweep: SweepTable) -> str:
    axes = ", ".join(f"{axis} ({counted(len(sweep.values(axis)), 'value')})" for axis in sweep.axes)
    seeds = f" of {sweep.seeds} seeds each" if sweep.seeds > 1 else ""
    return f"{sweep.name}: {counted(len(sweep.points), 'point')}{seeds} over {axes}."


def _sweep_title(sweep: SweepTable) -> str:
    names = [key_name(axis, sweep.axes) for axis in sweep.axes]
    return f"{'Search over' if sweep.objectives else 'Sweep over'} {listed_shortly(names)}"


def _in_common(runs: tuple[Run, ...]) -> str:
    """What ran, as far as it is the same in all runs."""
    titles = [run.result.titles for run in runs]
    lines = [titles[0].device, titles[0].firmware, titles[0].workload]
    said = [line for line in lines if line and all(line in (t.device, t.firmware, t.workload) for t in titles)]
    return " ".join(f"{line[0].upper()}{line[1:].removesuffix('.')}." for line in said)


def _energy_of(folder: Folder) -> tuple[EnergyPerMib, ...]:
    """What the runs themselves say, at their own supply voltage, when the study holds no table of its own."""
    if folder.study and folder.study.energy_per_mib:
        return folder.study.energy_per_mib
    rows: list[EnergyPerMib] = []
    for run in folder.runs:
        written_mib = run.result.host["bytes_written"] / MIB
        if written_mib == 0:
            continue
        energy = run.result.energy
        idle = energy.background_j()
        rows.append(
            EnergyPerMib(
                label=run.label,
                supply_v=run.result.device.supply_v,
                total_j=energy.total_j / written_mib,
                by_cause_j={key: joules / written_mib for key, joules in (energy.by_cause_j | idle).items()},
                by_operation_j={key: joules / written_mib for key, joules in (energy.by_operation_j | idle).items()},
            )
        )
    return tuple(rows)
