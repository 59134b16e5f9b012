"""Several simulations and what follows from them: study.json, schema ftlab-study version 1.

Does not read the runs' own files; load.py joins them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.json_node import Node, optional, require_schema
from ftlab.report.model.notes import Note, parse_notes

SCHEMA = "ftlab-study"
VERSION = 1


@dataclass(frozen=True)
class RunEntry:
    label: str
    result: str  # path relative to study.json


@dataclass(frozen=True)
class EnergyPerMib:
    """J per MiB written by the host; each map sums to `total_j`."""

    label: str
    supply_v: float
    total_j: float
    by_cause_j: dict[str, float]
    by_operation_j: dict[str, float]


@dataclass(frozen=True)
class BatteryRow:
    label: str
    supply_v: float
    j_per_host_mib: float
    mib_per_charge: float
    hours_per_charge: float | None


@dataclass(frozen=True)
class Battery:
    description: str
    capacity_j: float
    source: str
    estimate: bool
    rows: tuple[BatteryRow, ...]


@dataclass(frozen=True)
class StudyFile:
    title: str
    summary: str
    notes: tuple[Note, ...]
    baseline: str
    runs: tuple[RunEntry, ...]
    energy_per_mib: tuple[EnergyPerMib, ...]
    battery: Battery | None


def _energy(node: Node) -> EnergyPerMib:
    return EnergyPerMib(
        label=node.get("label").text(),
        supply_v=node.get("supply_v").number(),
        total_j=node.get("total_j").number(),
        by_cause_j=node.get("by_cause_j").numbers_by_name(),
        by_operation_j=node.get("by_operation_j").numbers_by_name(),
    )


def _battery(node: Node) -> Battery:
    return Battery(
        description=node.get("description").text(),
        capacity_j=node.get("capacity_j").number(),
        source=node.get("source").text(),
        estimate=node.get("estimate").flag(),
        rows=tuple(
            BatteryRow(
                label=row.get("label").text(),
                supply_v=row.get("supply_v").number(),
                j_per_host_mib=row.get("j_per_host_mib").number(),
                mib_per_charge=row.get("mib_per_charge").number(),
                hours_per_charge=optional(row.find("hours_per_charge"), Node.number, None),
            )
            for row in node.get("rows").items()
        ),
    )


def parse_study(root: Node) -> StudyFile:
    """Raises InputError naming file and key."""
    require_schema(root, SCHEMA, VERSION)
    runs = tuple(RunEntry(run.get("label").text(), run.get("result").text()) for run in root.get("runs").items())
    if not runs:
        raise root.get("runs").refuse("is empty; a study needs at least one run")
    labels = [run.label for run in runs]
    if len(set(labels)) != len(labels):
        raise root.get("runs").refuse("two runs have the same label; give each its own")
    baseline_node = root.find("baseline")
    baseline = labels[0] if baseline_node is None else baseline_node.choice(tuple(labels))
    battery = root.find("battery")
    return StudyFile(
        title=root.get("title").text(),
        summary=root.get("summary").text(),
        notes=parse_notes(root.find("notes")),
        baseline=baseline,
        runs=runs,
        energy_per_mib=tuple(_energy(item) for item in root.items_of("energy_per_mib")),
        battery=None if battery is None else _battery(battery),
    )
