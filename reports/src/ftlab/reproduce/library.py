"""Which experiments there are: a folder for each paper, a file for each table or figure."""

from __future__ import annotations

import functools
from pathlib import Path

from ftlab.errors import InputError
from ftlab.nearest import meant
from ftlab.reproduce.paper import PAPER, Paper, read_paper
from ftlab.reproduce.read import FOLDER, read_experiment
from ftlab.reproduce.spec import Experiment


def experiments_of(paper: Paper) -> list[str]:
    """Names, in the order in which they are listed; a file that `order` lacks comes last."""
    found = sorted(path.stem for path in (FOLDER / paper.name).glob("*.toml") if path.name != PAPER)
    placed = [stem for stem in paper.order if stem in found]
    return [f"{paper.name}-{stem}" for stem in [*placed, *(stem for stem in found if stem not in placed)]]


@functools.cache
def papers() -> tuple[Paper, ...]:
    found = [read_paper(path.parent) for path in FOLDER.glob(f"*/{PAPER}")]
    return tuple(sorted(found, key=lambda paper: paper.place))


def names() -> list[str]:
    return [name for paper in papers() for name in experiments_of(paper)]


def experiment_named(name: str) -> Experiment:
    """One of the library, or the path of an experiment file. Raises InputError with the nearest name."""
    if name.endswith(".toml"):
        try:
            name.encode()
        except UnicodeEncodeError:
            raise InputError(f"{name!r}: is no UTF-8 name; rename the file") from None
        return read_experiment(Path(name), Path(name).stem)
    known = names()
    if name not in known:
        raise InputError(f"no experiment is named '{name}'{meant(name, known, '`ftlab reproduce --list` has all')}")
    folder = next(paper.name for paper in papers() if name.startswith(f"{paper.name}-"))
    return read_experiment(FOLDER / folder / f"{name.removeprefix(f'{folder}-')}.toml", name)
