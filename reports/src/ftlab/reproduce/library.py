"""Which experiments there are: a folder for each paper, a file for each table or figure."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.reproduce.read import PAPER, read_experiment
from ftlab.reproduce.spec import Experiment

FOLDER = Path(__file__).resolve().parents[1] / "experiments"


@dataclass(frozen=True)
class Paper:
    """What the experiments of a paper have in common; `name` is their folder's."""

    name: str
    tree: dict[str, Any]

    def experiments(self) -> list[str]:
        """Names, in the order in which they are listed; a file that `order` lacks comes last."""
        order: list[str] = self.tree.get("order", [])
        found = sorted(path.stem for path in (FOLDER / self.name).glob("*.toml") if path.name != PAPER)
        return [f"{self.name}-{stem}" for stem in sorted(found, key=lambda stem: (*_place(order, stem), stem))]


def _place(order: list[str], stem: str) -> tuple[int]:
    return (order.index(stem) if stem in order else len(order),)


def papers() -> list[Paper]:
    found = [
        Paper(path.parent.name, tomllib.loads(path.read_text(encoding="utf-8"))) for path in FOLDER.glob(f"*/{PAPER}")
    ]
    return sorted(found, key=lambda paper: int(paper.tree.get("place", 0)))


def names() -> list[str]:
    return [name for paper in papers() for name in paper.experiments()]


def experiment_named(name: str) -> Experiment:
    """One of the library, or the path of an experiment file. Raises InputError with the nearest name."""
    if name.endswith(".toml"):
        return read_experiment(Path(name), Path(name).stem)
    known = names()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        hint = f"; did you mean '{near[0]}'?" if near else ""
        raise InputError(f"no experiment is named '{name}'{hint} (ftlab reproduce --list)")
    paper = next(paper for paper in papers() if name.startswith(f"{paper.name}-"))
    return read_experiment(FOLDER / paper.name / f"{name.removeprefix(f'{paper.name}-')}.toml", name)
