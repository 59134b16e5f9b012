"""Sweeps from Python."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.commands import how_to_install
from ftlab.errors import InputError
from ftlab.places import folder_of
from ftlab.sweeps.attributes import describe
from ftlab.sweeps.pool import LocalPool, jobs_at_once
from ftlab.sweeps.session import Session
from ftlab.sweeps.spec import SHOWN, sweep_of
from ftlab.sweeps.table import description, table_of, write_tables
from ftlab.toml_source import read_tree
from ftlab.values import ValueRefusedError, plain

if TYPE_CHECKING:
    import pandas


def _require(*modules: str) -> None:
    """Before the first run, not after the last."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise InputError(f"sweeps need the Python package {module}; {how_to_install('lab')}")


def sweep(
    study: str | Path | Mapping[str, Any] | None = None,
    axes: dict[str, Any] | None = None,
    *,
    figures: Sequence[str] | None = None,
    seeds: int | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
) -> pandas.DataFrame:
    """Runs every combination of the axes and gives one tidy table (docs/sweeps.md).

    `study` is a study file, a tree of keys, or with no axes a sweep file. An axis is a list of values or a range such
    as {"from": 0.5, "to": 0.9, "steps": 5}. `out` keeps journal and table, so that the same call later computes only
    what is new. Raises InputError for a key, figure or axis that does not exist.
    """
    _require("pandas", "pyarrow", "scipy")
    if jobs is not None and (not isinstance(jobs, int) or jobs < 1):
        raise InputError(f"jobs={jobs!r}: must be a whole number from 1 on")
    if study is not None and not isinstance(study, str | Path | Mapping):
        raise InputError(f"{study!r} is no study; give the path of one, or a tree of keys")
    kept = None if out is None else folder_of(out, "out")
    more = {key: value for key, value in _plain({"figures": figures, "seeds": seeds}).items() if value is not None}
    if axes is None and isinstance(study, str | Path):
        tree, source = read_tree(Path(study), SHOWN)
        wanted = sweep_of(tree | more, source, Path(study).parent)
    else:
        base = str(Path(study).absolute()) if isinstance(study, str | Path) else dict(study or {})
        wanted = sweep_of({"study": base, "axes": axes or {}} | more)
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = kept or Path(scratch)
        points = wanted.points()
        with Session(wanted, folder, LocalPool(folder, jobs_at_once(jobs))) as session:
            session.run(points)
        table = table_of(wanted, points, session.at)
        if out is not None:
            write_tables(wanted, folder.name, table, folder)
        return describe(table, description(wanted, folder.name if out is not None else "sweep", {}))


def _plain(given: dict[str, Any]) -> dict[str, Any]:
    try:
        return {key: value if value is None else plain(value) for key, value in given.items()}
    except ValueRefusedError as problem:
        raise InputError(f"sweep: {problem}") from None
