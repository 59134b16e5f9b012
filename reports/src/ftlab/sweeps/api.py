"""Sweeps from Python."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.errors import InputError
from ftlab.sweeps.engine import journal_of, run_points
from ftlab.sweeps.pool import LocalPool, jobs_at_once
from ftlab.sweeps.source import read_tree
from ftlab.sweeps.spec import sweep_of
from ftlab.sweeps.table import table_of, write_tables

if TYPE_CHECKING:
    import pandas


def _require(*modules: str) -> None:
    """Before the first run, not after the last."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            raise InputError(f"sweeps need the Python package {module}; `pip install './reports[lab]'` installs it")


def sweep(
    study: str | Path | dict[str, Any] | None = None,
    axes: dict[str, Any] | None = None,
    *,
    figures: list[str] | None = None,
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
    if jobs is not None and jobs < 1:
        raise InputError(f"jobs={jobs}: must be a whole number from 1 on")
    given: dict[str, Any] = {"figures": figures, "seeds": seeds}
    more = {key: value for key, value in given.items() if value is not None}
    if axes is None and isinstance(study, str | Path):
        tree, source = read_tree(Path(study))
        wanted = sweep_of(tree | more, source, Path(study).parent)
    else:
        base = study if isinstance(study, dict) else str(Path(study).resolve()) if study is not None else {}
        wanted = sweep_of({"study": base, "axes": axes or {}} | more)
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = Path(out) if out is not None else Path(scratch)
        points = wanted.points()
        with journal_of(wanted, folder) as journal:
            run_points(wanted, points, journal, LocalPool(folder / ".scratch", jobs_at_once(jobs)))
        table = table_of(wanted, points, journal.outcomes)
        if out is not None:
            write_tables(wanted, folder.name, table, folder)
        return table
