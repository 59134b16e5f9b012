"""Sweeps and searches from Python."""

from __future__ import annotations

import contextlib
import importlib.util
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.commands import how_to_install
from ftlab.errors import InputError
from ftlab.places import folder_of
from ftlab.sweeps.attributes import describe
from ftlab.sweeps.given import jobs_of, read_given
from ftlab.sweeps.pool import LocalPool
from ftlab.sweeps.session import Session
from ftlab.sweeps.spec import Sweep
from ftlab.sweeps.table import description, table_of, write_tables

if TYPE_CHECKING:
    import pandas

_NEEDED = {"lab": ("pandas", "pyarrow", "scipy"), "full": ("pandas", "pyarrow", "scipy", "optuna")}


def _require(what: str, extra: str) -> None:
    """Before the first run, not after the last."""
    for module in _NEEDED[extra]:
        if importlib.util.find_spec(module) is None:
            raise InputError(f"{what} need the Python package {module}; {how_to_install(extra)}")


@contextlib.contextmanager
def _session(wanted: Sweep, kept: Path | None, jobs: int) -> Iterator[Session]:
    with tempfile.TemporaryDirectory(prefix="ftlab-") as scratch:
        folder = kept or Path(scratch)
        with Session(wanted, folder, LocalPool(folder, jobs)) as session:
            yield session


def _kept(
    wanted: Sweep, name: str, table: pandas.DataFrame, kept: Path | None, wishes: dict[str, str]
) -> pandas.DataFrame:
    """The table as it is handed out; and in its folder, where it is kept."""
    if kept is not None:
        write_tables(wanted, kept.name, table, kept, wishes)
    return describe(table, description(wanted, kept.name if kept else name, wishes))


def sweep(
    study: str | Path | Mapping[str, Any] | None = None,
    axes: Mapping[str, Any] | None = None,
    *,
    figures: Sequence[str] | None = None,
    seeds: int | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
) -> pandas.DataFrame:
    """Runs a study with every combination of values; one tidy table (docs/sweeps.md).

    `study`: path of a study, or a tree of its keys such as {"part": "series2plus-4mb", "ftl": {"utilization": 0.8}};
    without `axes` the path of a sweep file. Default: every key has its default.
    `axes`: key of the study -> its values, a list or a range such as {"from": 0.5, "to": 0.9, "steps": 5}. Values are
    in the units that `ftlab keys` lists. Default: those of the sweep file.
    `figures`: any of `ftlab figures` that are numbers, or one of numbers by name such as "time.by_cause_s.clean".
    Default: write amplification, write throughput, erases, energy for each MiB.
    `seeds`: runs of each point, from 1 on, with the study's seed and those that follow it. Default: 1.
    `out`: folder for journal and tables, so that the same call later runs only what is new. Default: nothing is kept.
    `jobs`: simulations at once, from 1 on. Default: one for each processor.

    Returns a frame with a row for each point; the first axis changes slowest. Columns: the axes; of each figure
    FIGURE.mean and FIGURE.ci95 (half of the 95 % interval of the mean, not a number for fewer than two runs) in the
    unit that `ftlab figures` lists; the counts runs (that worked), ended_early (of these, by the end of the device's
    life) and failed; reason (of the first failure). A point whose runs all failed stays, with figures that are not a
    number.

    Raises InputError for a key, a value, a figure or an axis that cannot be, before the first run; for a folder `out`
    that holds something else; and where the study changes while the sweep runs.
    """
    _require("sweeps", "lab")
    at_once = jobs_of(jobs)
    kept = None if out is None else folder_of(out, "out")
    _, wanted = read_given(study, axes, {"figures": figures, "seeds": seeds})
    points = wanted.points()
    with _session(wanted, kept, at_once) as session:
        session.run(points)
    return _kept(wanted, "sweep", table_of(wanted, points, session.at), kept, {})


def optimize(
    study: str | Path | Mapping[str, Any] | None = None,
    axes: Mapping[str, Any] | None = None,
    objectives: Mapping[str, str] | None = None,
    *,
    runs: int | None = None,
    search_seed: int | None = None,
    figures: Sequence[str] | None = None,
    seeds: int | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
) -> pandas.DataFrame:
    """Searches the axes for the points that are best in several figures at once (docs/sweeps.md).

    `study`, `axes`, `figures`, `seeds`, `out`, `jobs`: as ftlab.sweep takes them; without `axes` the study is the path
    of a search file. An axis of numbers that rise or fall is searched as such, any other one as names.
    `objectives`: figure -> "max" or "min"; figures as those of `figures`. Default: those of the search file.
    `runs`: simulations at most, all seeds counted, from `seeds` on. Default: 200.
    `search_seed`: from 0 on; another one searches another way, the same one goes the same way again. Default: 1.

    Returns a frame with a row for each point that was run, in the order of the search. Columns: those of ftlab.sweep,
    the objectives first among the figures, and after the axes `pareto`: whether no other point is as good in every
    objective and better in one. `table[table["pareto"]]` is the front.

    Raises InputError for what ftlab.sweep refuses, for objectives and counts that cannot be, and where no run worked or
    none has the figure of an objective.
    """
    _require("searches", "full")
    from ftlab.sweeps import optimize as search_for

    at_once = jobs_of(jobs)
    kept = None if out is None else folder_of(out, "out")
    more = {"objectives": objectives, "runs": runs, "search_seed": search_seed, "figures": figures, "seeds": seeds}
    tree, plain_sweep = read_given(study, axes, more)
    search = search_for.search_of(tree, plain_sweep)
    wanted = search_for.with_objectives(plain_sweep, search)
    with _session(wanted, kept, at_once) as session:
        table = search_for.optimize(wanted, search, session)
    made = _kept(wanted, "search", table, kept, search.wishes())
    search_for.refuse_nothing(search, table, wanted.source)
    return made
