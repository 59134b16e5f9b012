"""From a directory to a Report: finds the files, reads them, joins runs with their labels."""

from __future__ import annotations

from pathlib import Path

from ftlab.errors import InputError
from ftlab.json_node import read_json
from ftlab.report.checks import balance_notes
from ftlab.report.contents import Report, Run
from ftlab.report.model.reproduce import Reproduction, parse_reproduction
from ftlab.report.model.result import MIB, parse_result
from ftlab.report.model.study import EnergyPerMib, StudyFile, parse_study
from ftlab.report.model.sweep import SweepTable, read_sweep_table


def load_report(directory: Path) -> Report:
    """Raises InputError with one line when there is nothing to report or a file cannot be used."""
    if not directory.is_dir():
        raise InputError(f"{directory}: no such directory; give the one that ftlab wrote its results to")
    study = _study(directory)
    reproduction = _reproduction(directory)
    sweep = read_sweep_table(directory) if (directory / "sweep.json").exists() else None
    runs = _runs(directory, study, alone=study is None and reproduction is None and sweep is None)
    if not runs and reproduction is None and sweep is None:
        raise InputError(
            f"{directory}: holds no result.json, study.json, sweep.json or reproduce.json; "
            "give the directory that ftlab wrote its results to (--out)"
        )
    baseline = study.baseline if study else (runs[0].label if runs else "")
    notes = (study.notes if study else ()) + (reproduction.notes if reproduction else ())
    return Report(
        title=sweep.name if sweep and not runs else _title(study, runs, reproduction),
        summary=_sweep_summary(sweep) if sweep and not runs else _summary(study, runs, reproduction),
        notes=notes + tuple(note for run in runs for note in balance_notes(run.label, run.result)),
        runs=runs,
        baseline=baseline,
        energy_per_mib=(study.energy_per_mib if study else ()) or _energy_of(runs),
        battery=study.battery if study else None,
        reproduction=reproduction,
        sweep=sweep,
    )


def _study(directory: Path) -> StudyFile | None:
    path = directory / "study.json"
    return parse_study(read_json(path)) if path.exists() else None


def _reproduction(directory: Path) -> Reproduction | None:
    path = directory / "reproduce.json"
    return parse_reproduction(read_json(path)) if path.exists() else None


def _runs(directory: Path, study: StudyFile | None, alone: bool) -> tuple[Run, ...]:
    if study is not None:
        return tuple(Run(run.label, parse_result(read_json(directory / run.result))) for run in study.runs)
    single = directory / "result.json"
    if single.exists():
        return (Run(directory.resolve().name, parse_result(read_json(single))),)
    if not alone:
        return ()
    found = sorted(directory.glob("*/result.json"))
    return tuple(Run(path.parent.name, parse_result(read_json(path))) for path in found)


def _title(study: StudyFile | None, runs: tuple[Run, ...], reproduction: Reproduction | None) -> str:
    if study is not None:
        return study.title
    if len(runs) == 1:
        return runs[0].result.titles.device
    if runs:
        return f"{len(runs)} runs compared"
    return reproduction.title if reproduction else ""


def _summary(study: StudyFile | None, runs: tuple[Run, ...], reproduction: Reproduction | None) -> str:
    if study is not None:
        return study.summary
    if runs:
        return _in_common(runs)
    count = len(reproduction.experiments) if reproduction else 0
    return f"Published numbers beside ours: {count} experiment{'' if count == 1 else 's'}."


def _sweep_summary(sweep: SweepTable) -> str:
    axes = ", ".join(f"{axis} ({len(sweep.values(axis))} values)" for axis in sweep.axes)
    seeds = f" of {sweep.seeds} seeds each" if sweep.seeds > 1 else ""
    return f"{'Search' if sweep.objectives else 'Sweep'}: {len(sweep.points)} points{seeds} over {axes}."


def _in_common(runs: tuple[Run, ...]) -> str:
    """What ran, as far as it is the same in all runs; the title of a page about one run has the device already."""
    titles = [run.result.titles for run in runs]
    lines = [] if len(runs) == 1 else [title.device for title in titles[:1]]
    lines += [titles[0].firmware, titles[0].workload]
    said = [line for line in lines if line and all(line in (t.device, t.firmware, t.workload) for t in titles)]
    return " ".join(line if line.endswith(".") else f"{line}." for line in said)


def _energy_of(runs: tuple[Run, ...]) -> tuple[EnergyPerMib, ...]:
    """What the runs themselves say, at their own supply voltage, when the study holds no table of its own."""
    rows: list[EnergyPerMib] = []
    for run in runs:
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
