"""Sweeps from Python."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.sweeps.engine import run_sweep
from ftlab.sweeps.pool import jobs_at_once
from ftlab.sweeps.spec import read_sweep, sweep_of
from ftlab.sweeps.table import table_of, write_tables

if TYPE_CHECKING:
    import pandas


def sweep(
    study: str | Path | dict[str, Any] | None = None,
    axes: dict[str, Any] | None = None,
    *,
    figures: list[str] | None = None,
    seeds: int = 1,
    out: str | Path | None = None,
    jobs: int | None = None,
) -> pandas.DataFrame:
    """Runs every combination of the axes and gives one tidy table (docs/sweeps.md).

    `study` is a study file, a tree of keys, or with no axes a sweep file. An axis is a list of values or a range such
    as {"from": 0.5, "to": 0.9, "steps": 5}. `out` keeps journal and table, so that the same call later computes only
    what is new. Raises InputError for a key, figure or axis that does not exist.
    """
    if axes is None and isinstance(study, str | Path):
        wanted = read_sweep(Path(study))
    else:
        given = study if isinstance(study, dict) else str(Path(study).resolve()) if study is not None else {}
        tree: dict[str, Any] = {"study": given, "axes": axes or {}, "seeds": seeds}
        wanted = sweep_of(tree | ({"figures": figures} if figures else {}))
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = Path(out) if out is not None else Path(scratch)
        table = table_of(wanted, run_sweep(wanted, folder, jobs_at_once(jobs)))
        if out is not None:
            write_tables(table, folder)
        return table
