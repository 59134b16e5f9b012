"""`ftlab optimize`."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.arguments import Parser
from ftlab.errors import InputError
from ftlab.sweeps.axes import Settings
from ftlab.sweeps.engine import journal_of, outcomes_at, run_points
from ftlab.sweeps.journal import Journal, Outcome, notes_of
from ftlab.sweeps.options import add_options, check_options, folder_of, pool_of
from ftlab.sweeps.pool import Pool
from ftlab.sweeps.progress import ProgressLine
from ftlab.sweeps.search import Objective, pareto, search
from ftlab.sweeps.source import read_tree
from ftlab.sweeps.spec import Sweep, check_figure, sweep_of, whole
from ftlab.sweeps.table import table_of, write_tables
from ftlab.values import flattened

if TYPE_CHECKING:
    import pandas

DEFAULT_RUNS = 200
_EXAMPLE = """a sweep file with objectives:
  runs = 200                         # simulations at most
  [objectives]
  "throughput.write_bytes_per_s" = "max"
  "energy.j_per_host_mib" = "min"
  [study]
  part = "series2plus-24mb"
  [axes]
  "ftl.selection" = ["greedy", "cost_benefit", "cat"]
  "ftl.utilization" = { from = 0.5, to = 0.95, steps = 46 }

examples:
  ftlab optimize SEARCH.toml         results in out/SEARCH
The same command resumes a search that was interrupted. docs/sweeps.md has the rest of the file.

exit status: 0 done; 2 wrong input, or no run worked; 130 interrupted"""


def objectives_of(tree: dict[str, Any], sweep: Sweep) -> list[Objective]:
    """Raises InputError for what is no figure or no direction."""
    given = tree.get("objectives", {})
    if not isinstance(given, dict) or not given:
        raise sweep.source.refuse("objectives", 'must be a table such as "flash.erases" = "min"')
    flat = flattened(given)
    for path, wish in flat.items():
        check_figure(sweep.source, "objectives", path)
        if wish not in ("min", "max"):
            raise sweep.source.refuse(f"objectives.{path}", 'must be "min" or "max"')
    return [Objective(path, wish == "max") for path, wish in flat.items()]


def optimize(
    tree: dict[str, Any], sweep: Sweep, journal: Journal, pool: Pool, progress: ProgressLine | None = None
) -> tuple[Sweep, pandas.DataFrame]:
    """The sweep with the objectives among its figures, and the table of all points that were run, in the order of the
    search; `pareto` marks those that none beats."""
    objectives = objectives_of(tree, sweep)
    wanted = dict.fromkeys([*(objective.figure for objective in objectives), *sweep.figures])
    sweep = dataclasses.replace(sweep, figures=list(wanted))
    runs = whole(sweep.source, "runs", tree.get("runs", DEFAULT_RUNS), 1)
    seed = whole(sweep.source, "search_seed", tree.get("search_seed", 1), 0)
    budget = max(1, runs // sweep.seeds)
    before = 0

    def count(done: int, _: int, outcome: Outcome | None) -> None:
        if progress and outcome:
            progress.update(before + done, budget * sweep.seeds, outcome)

    def evaluate(points: list[Settings]) -> list[list[Outcome]]:
        nonlocal before
        run_points(sweep, points, journal, pool, count)
        before += len(points) * sweep.seeds
        return [outcomes_at(sweep, point, journal.outcomes) for point in points]

    points = search(sweep.space, sweep.ranges, objectives, budget, seed, evaluate)
    table = table_of(sweep, points, journal.outcomes)
    values: list[list[float] | None] = []
    for point in points:
        found = [objective.value(outcomes_at(sweep, point, journal.outcomes)) for objective in objectives]
        values.append(None if None in found else [value for value in found if value is not None])
    table.insert(len(sweep.axes()), "pareto", pareto(values, objectives))
    return sweep, table


def _parser() -> Parser:
    parser = Parser(
        prog="ftlab optimize",
        description="Searches the axes of a sweep for the best points in several figures at once.",
        epilog=_EXAMPLE,
    )
    parser.add_argument("search", metavar="SEARCH.toml", type=Path, help="what is varied, and what is wanted of it")
    add_options(parser)
    return parser


def main(arguments: Sequence[str]) -> int:
    try:
        options = _parser().read(arguments)
        check_options(options)
        tree, source = read_tree(options.search)
        sweep = sweep_of(tree, source, options.search.parent)
        objectives = objectives_of(tree, sweep)
        folder = folder_of(options, options.search)
        pool = pool_of(options, folder, ["optimize", *arguments])
        with (
            journal_of(sweep, folder, options.force) as journal,
            ProgressLine(sweep.space.size(), sweep.seeds, options.quiet) as progress,
        ):
            sweep, table = optimize(tree, sweep, journal, pool, progress)
        wishes = {objective.figure: "max" if objective.maximize else "min" for objective in objectives}
        written = write_tables(sweep, options.search.stem, table, folder, wishes)
        if not table["pareto"].any():
            raise InputError(f"no run worked, so nothing was found; the first one: {table['reason'].iloc[0]}")
    except InputError as error:
        print(f"ftlab: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ftlab: interrupted; the same command resumes it", file=sys.stderr)
        return 130
    if not options.quiet:
        first = objectives[0]
        best = table[table["pareto"]].sort_values(f"{first.figure}.mean", ascending=not first.maximize)
        shown = [*sweep.axes(), *(f"{objective.figure}.mean" for objective in objectives)]
        print(f"{len(best)} of {len(table)} points are beaten by none:\n")
        print(best[shown].to_string(index=False, max_rows=40, max_colwidth=40))
        print("\n" + "\n".join(f"Table:   {path}" for path in written))
        print(f"Report:  ./ftlab report {folder}")
        for note in notes_of(journal.outcomes.values()):
            print(f"ftlab: note: {note}", file=sys.stderr)
    return 0
