"""The tidy table: a row for each point, its axes, and of each figure the mean over seeds with its 95 % interval."""

from __future__ import annotations

import io
import json
import math
import statistics
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.result import figure_rows
from ftlab.sweeps.axes import Settings
from ftlab.sweeps.journal import Outcome
from ftlab.sweeps.spec import Sweep
from ftlab.write import write_whole

if TYPE_CHECKING:
    import pandas


OUTPUTS = ("sweep.json", "table.csv", "table.parquet")


def half_width_95(values: list[float]) -> float:
    """Half of the 95 % interval of the mean, by Student's t. Not a number for fewer than two values."""
    if len(values) < 2:
        return math.nan
    from scipy.stats import t

    return float(t.ppf(0.975, len(values) - 1)) * statistics.stdev(values) / math.sqrt(len(values))


def table_of(sweep: Sweep, points: list[Settings], at: Callable[[Settings], list[Outcome]]) -> pandas.DataFrame:
    """Columns: the axes; FIGURE.mean and FIGURE.ci95 over the runs that worked; how many worked, ended early, failed;
    the first reason of a failure. `at`: the outcomes of a point, one for each seed."""
    import pandas as pd

    columns: dict[str, list[Any]] = {axis: [] for axis in sweep.axes()}
    for figure in sweep.figures:
        columns[f"{figure}.mean"] = []
        columns[f"{figure}.ci95"] = []
    columns |= {"runs": [], "ended_early": [], "failed": [], "reason": []}
    for point in points:
        runs = at(point)
        worked = [run for run in runs if not run.reason]
        for axis in sweep.axes():
            columns[axis].append(point[axis])
        for figure in sweep.figures:
            values = [run.figures[figure] for run in worked if figure in run.figures]
            columns[f"{figure}.mean"].append(statistics.fmean(values) if values else math.nan)
            columns[f"{figure}.ci95"].append(half_width_95(values))
        columns["runs"].append(len(worked))
        columns["ended_early"].append(sum(run.ended_early for run in worked))
        columns["failed"].append(len(runs) - len(worked))
        columns["reason"].append(next((run.reason for run in runs if run.reason), ""))
    return pd.DataFrame({name: _uniform(values) for name, values in columns.items()})


def _uniform(values: list[Any]) -> list[Any]:
    """Values of one type as they are; otherwise as text, because a column has one type."""
    kinds = {type(value) for value in values}
    if kinds <= {int, float} or (len(kinds) == 1 and kinds <= {bool, str}):
        return values
    return [value if isinstance(value, str) else json.dumps(value) for value in values]


def write_tables(
    sweep: Sweep, name: str, table: pandas.DataFrame, folder: Path, objectives: Mapping[str, str] | None = None
) -> list[Path]:
    """The tables, and sweep.json, which says what their columns are. `objectives`: figure -> "max" or "min"."""
    parquet = io.BytesIO()
    table.to_parquet(parquet, index=False)
    write_whole(folder / OUTPUTS[0], description(sweep, name, objectives or {}))
    write_whole(folder / OUTPUTS[1], table.to_csv(index=False))
    write_whole(folder / OUTPUTS[2], parquet.getvalue())
    return [folder / file for file in OUTPUTS[1:]]


def description(sweep: Sweep, name: str, objectives: Mapping[str, str]) -> str:
    known = figure_rows()
    figures = []
    for path in sweep.figures:
        row = known.get(path) or known[path.rpartition(".")[0]]
        figures.append({"path": path, "unit": row["unit"], "help": row["what it is"]})
    return (
        json.dumps(
            {
                "schema": "ftlab-sweep",
                "version": 1,
                "name": name,
                "seeds": sweep.seeds,
                "axes": sweep.axes(),
                "figures": figures,
                "objectives": [{"figure": figure, "wanted": wanted} for figure, wanted in objectives.items()],
            },
            indent=2,
            ensure_ascii=False,
        )
        + "\n"
    )
