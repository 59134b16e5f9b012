"""`ftlab` without a command: the papers' three policies under the writes of a workstation, and Table 4 beside it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ftlab.arguments import Parser
from ftlab.battery import battery_row, battery_section, energy_per_mib
from ftlab.errors import InputError
from ftlab.program import MAX_SEED
from ftlab.progress import ProgressLine
from ftlab.report import units
from ftlab.report.cli import main as draw_report
from ftlab.reproduce.bank import Bank
from ftlab.reproduce.document import document_of, experiment_part
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.rows import requests_of
from ftlab.reproduce.spec import Experiment, Point
from ftlab.reproduce.text import claims_text, experiment_text
from ftlab.sweeps.pool import jobs_at_once
from ftlab.text_table import Column, table_text
from ftlab.write import check_folder, write_whole

Json = dict[str, Any]
_TRACE, _STAND_IN, _TABLE = "fms-hplajw", "fms-stand-in", "fms-table4"
_MACHINE = {"machine": ("pentium-133",)}


def _parser() -> Parser:
    parser = Parser("ftlab", "The main study: three cleaning policies on a 24 MB Series 2+ card.")
    parser.add_argument("--trace", metavar="FILE", help="the hplajw trace (default: look in $FTLAB_TRACE_DIR)")
    parser.add_argument("--out", metavar="DIR", default="out/main-study", help="folder for results")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed")
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    if options.out == "":
        raise InputError("--out: must not be empty; name a folder for the results")
    if not 0 <= options.seed <= MAX_SEED:
        raise InputError(f"--seed {options.seed}: must be a whole number from 0 to {MAX_SEED}")
    out = Path(options.out)
    check_folder(out)
    experiment, stands_in = _experiment(options.trace)
    table = experiment_named(_TABLE)
    points = experiment.rows()
    seeds = [options.seed]
    with ProgressLine("main study", "runs", quiet=False) as progress:
        bank = Bank(jobs_at_once(None), progress)
        asked = requests_of(experiment, points, seeds)
        # All at once, so that time left is that of the whole.
        results = bank.results([*asked, *requests_of(table, table.rows(_MACHINE), seeds)])[: len(points)]
        parts = [experiment_part(experiment, bank, seeds, vary=False)]
        parts.append(experiment_part(table, bank, seeds, vary=False, where=_MACHINE))
    bank.say_notes()
    study = _study(experiment, points, results, stands_in)
    for point, result in zip(points, results, strict=True):
        _write(out / _folder(point) / "result.json", result)
    _write(out / "reproduce.json", document_of([experiment, table], parts))
    _write(out / "study.json", study)
    _print(experiment, points, results, study, parts)
    print(f"Results: {out}", flush=True)
    return draw_report([str(out)])


def _experiment(trace: str | None) -> tuple[Experiment, str]:
    """With the trace, or what stands in for it; and what is said then."""
    experiment = experiment_named(_TRACE)
    if trace is not None:
        if not Path(trace).is_file():
            raise InputError(f"--trace {trace}: no such file")
        return dataclasses.replace(experiment, study=experiment.study | {"workload.path": trace}), ""
    if not experiment.missing():
        return experiment, ""
    stands_in = (
        "The HP trace was not found, so a generated workload of the same locality stands in. "
        f"{experiment.needs} Give it with --trace FILE."
    )
    return experiment_named(_STAND_IN), stands_in


def _write(path: Path, document: Json) -> None:
    write_whole(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def _folder(point: Point) -> str:
    return "-".join(point)


def _fewer(results: list[Json], counter: str) -> str:
    """In the last system than in the first."""
    return f"{100 * (1 - results[-1]['flash'][counter] / results[0]['flash'][counter]):.0f} %"


def _study(experiment: Experiment, points: list[Point], results: list[Json], stands_in: str) -> Json:
    """study.json (docs/results.md)."""
    labels = [experiment.titles(point)["system"] for point in points]
    shown = dict(reversed(list(zip(labels, points, strict=True))))  # of each label, the first
    notes = [{"level": "warning", "text": stands_in}] if stands_in else []
    notes += [{"level": "info", "text": note} for note in experiment.notes]
    rows = [battery_row(label, result) for label, result in zip(labels, results, strict=True)]
    return {
        "schema": "ftlab-study",
        "version": 1,
        "title": experiment.title,
        "summary": (
            f"{experiment.about} {labels[-1]} erases {_fewer(results, 'erases')} fewer segments than {labels[0]} and "
            f"copies {_fewer(results, 'pages_copied')} fewer blocks."
        ),
        "notes": notes,
        "baseline": labels[0],
        "runs": [{"label": label, "result": f"{_folder(shown[label])}/result.json"} for label in dict.fromkeys(labels)],
        "energy_per_mib": [energy_per_mib(label, result) for label, result in zip(labels, results, strict=True)],
        "battery": battery_section(results[0], rows),
    }


def _print(experiment: Experiment, points: list[Point], results: list[Json], study: Json, parts: list[Json]) -> None:
    print(f"{study['title']}\n{study['summary']}\n\n{_comparison(experiment, points, results)}", end="")
    for note in study["notes"]:
        print(f"\nNote: {note['text']}")
    print(f"\nBattery estimate: {study['battery']['description']}\n{_battery(study)}")
    print(f"{claims_text(parts[0])}\n{experiment_text(parts[1])}")
    print("This is one seed; `ftlab reproduce` averages four and judges both machines.\n")


def _comparison(experiment: Experiment, points: list[Point], results: list[Json]) -> str:
    titles = (
        "Vcc", "simulated time", "throughput", "erasures", "blocks copied", "wear D", "cleaning time", "energy",
        "J per MiB",
    )  # fmt: skip
    rows = []
    for point, result in zip(points, results, strict=True):
        time, energy = result["time"], result["energy"]
        rows.append(
            [
                experiment.titles(point)["system"],
                f"{result['device']['supply_v']:g} V",
                units.seconds(time["simulated_s"]),
                units.rate(result["throughput"]["write_bytes_per_s"]),
                units.count(result["flash"]["erases"]),
                units.count(result["flash"]["pages_copied"]),
                f"{result['wear']['stddev']:.2f}",
                f"{100 * time['by_cause_s']['clean'] / time['simulated_s']:.1f} %",
                units.joules(energy["total_j"]),
                f"{energy['j_per_host_mib']:.3g}",
            ]
        )
    return table_text([Column("policy"), *(Column(title, right=True) for title in titles)], rows)


def _battery(study: Json) -> str:
    titles = ("Vcc", "J per MiB", "MiB per charge", "hours per charge")
    rows = [
        [
            row["label"],
            f"{row['supply_v']:g} V",
            f"{row['j_per_host_mib']:.3g}",
            units.count(row["mib_per_charge"] or 0),
            units.count(row["hours_per_charge"] or 0),
        ]
        for row in study["battery"]["rows"]
    ]
    return table_text([Column("policy"), *(Column(title, right=True) for title in titles)], rows)
