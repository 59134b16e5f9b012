"""A sweep or a search: sweep.json says what the columns of table.csv are (docs/sweeps.md)."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from ftlab.errors import InputError
from ftlab.json_node import read_json, require_schema
from ftlab.places import refuse_special

SCHEMA = "ftlab-sweep"
VERSION = 1


@dataclass(frozen=True)
class SweepFigure:
    path: str
    unit: str
    help: str


@dataclass(frozen=True)
class Estimate:
    """Mean over the seeds; `half` is half of its 95 % interval, None for fewer than two runs."""

    mean: float
    half: float | None


@dataclass(frozen=True)
class Point:
    settings: dict[str, str]
    estimates: dict[str, Estimate]  # by figure; none where no run worked
    pareto: bool
    runs: int = 0  # that worked
    ended_early: int = 0  # of these, cut short by the device's end of life
    failed: int = 0
    reason: str = ""  # of the first that failed


@dataclass(frozen=True)
class Objective:
    figure: str
    maximize: bool


@dataclass(frozen=True)
class SweepTable:
    name: str
    seeds: int
    axes: tuple[str, ...]
    figures: tuple[SweepFigure, ...]
    objectives: tuple[Objective, ...]  # empty: every combination was run
    points: tuple[Point, ...]

    def values(self, axis: str) -> list[str]:
        """In the order in which they come."""
        return list(dict.fromkeys(point.settings[axis] for point in self.points))


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _point(row: dict[str, str], axes: tuple[str, ...], figures: tuple[SweepFigure, ...]) -> Point:
    if None in row or None in row.values():
        raise ValueError("a row has not as many cells as the first line names")
    estimates = {}
    for figure in figures:
        mean, half = row[f"{figure.path}.mean"], row[f"{figure.path}.ci95"]
        if mean:
            estimates[figure.path] = Estimate(float(mean), float(half) if half else None)
    runs, ended_early, failed = (int(row[name]) for name in ("runs", "ended_early", "failed"))
    settings = {axis: row[axis] for axis in axes}
    return Point(settings, estimates, row.get("pareto") == "True", runs, ended_early, failed, row["reason"])


def read_sweep_table(directory: Path) -> SweepTable:
    """Raises InputError with one line when the files do not belong together."""
    node = read_json(directory / "sweep.json")
    require_schema(node, SCHEMA, VERSION)
    axes = tuple(item.text() for item in node.get("axes").items())
    figures = tuple(
        SweepFigure(item.get("path").text(), item.get("unit").text(), item.get("help").text())
        for item in node.get("figures").items()
    )
    objectives = tuple(
        Objective(item.get("figure").text(), item.get("wanted").choice(("max", "min")) == "max")
        for item in node.items_of("objectives")
    )
    table = directory / "table.csv"
    refuse_special(table, "run the sweep again")
    try:
        with table.open(encoding="utf-8", newline="") as file:
            points = tuple(_point(row, axes, figures) for row in csv.DictReader(file))
    except OSError as error:
        raise InputError(f"{table}: cannot be read ({error.strerror}); run the sweep again") from None
    except (KeyError, ValueError, csv.Error) as problem:
        raise InputError(f"{table}: does not fit sweep.json ({problem}); run the sweep again") from None
    if not points:
        raise InputError(f"{table}: has no rows, one for each point; run the sweep again")
    return SweepTable(node.get("name").text(), int(node.get("seeds").number()), axes, figures, objectives, points)
