"""A search over the axes of a sweep: `ftlab optimize`, and what `ftlab.optimize` shares with it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ftlab.errors import InputError
from ftlab.sweeps.axes import Settings
from ftlab.sweeps.console import console_text
from ftlab.sweeps.journal import Outcome
from ftlab.sweeps.options import folder_of, parser_of, pool_of, read_options, say_failed, say_notes, say_where
from ftlab.sweeps.progress import SweepProgress
from ftlab.sweeps.search import Objective, find, pareto, values_at
from ftlab.sweeps.session import Session
from ftlab.sweeps.spec import MAX_SEARCH_SEED, SHOWN, Sweep, check_figure, sweep_of, whole
from ftlab.sweeps.table import table_of, write_tables
from ftlab.text_table import terminal_width
from ftlab.toml_source import SourceFile, read_tree
from ftlab.values import ValueRefusedError, flattened

if TYPE_CHECKING:
    import pandas

DEFAULT_RUNS = 200
_DESCRIPTION = "Searches the axes of a sweep for the best points in several figures at once."
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

exit status: 0 done; 2 wrong input, or no run worked; 128 + N ended by signal N, 130 by Ctrl-C"""


@dataclass(frozen=True)
class Search:
    """What a search file says beside its sweep."""

    objectives: list[Objective]
    budget: int  # points
    seed: int

    def wishes(self) -> dict[str, str]:
        """Figure -> "max" or "min"."""
        return {objective.figure: "max" if objective.maximize else "min" for objective in self.objectives}


def search_of(tree: dict[str, Any], sweep: Sweep) -> Search:
    """Raises InputError for what is no figure, no direction, or too few runs."""
    at = sweep.source
    given = tree.get("objectives", {})
    if not isinstance(given, dict) or not given:
        raise at.refuse("objectives", 'must be a table such as "flash.erases" = "min"')
    try:
        flat = flattened(given)
    except ValueRefusedError as problem:
        raise at.refuse("objectives", str(problem)) from None
    for path, wish in flat.items():
        check_figure(at, "objectives", path)
        if wish not in ("min", "max"):
            raise at.refuse(f"objectives.{path}", 'must be "min" or "max"')
    runs = whole(at, "runs", tree.get("runs", DEFAULT_RUNS), sweep.seeds)
    seed = whole(at, "search_seed", tree.get("search_seed", 1), 0, MAX_SEARCH_SEED)
    return Search([Objective(path, wish == "max") for path, wish in flat.items()], runs // sweep.seeds, seed)


def with_objectives(sweep: Sweep, search: Search) -> Sweep:
    """The same sweep, whose table has the objectives first among its figures."""
    return dataclasses.replace(sweep, figures=list(dict.fromkeys([*search.wishes(), *sweep.figures])))


def optimize(sweep: Sweep, search: Search, session: Session, progress: SweepProgress | None = None) -> pandas.DataFrame:
    """The table of all points that were run, in the order of the search; `pareto` marks those that none beats."""
    before = 0

    def count(done: int, _: int, outcome: Outcome | None) -> None:
        if progress and outcome:
            progress.record(before + done, search.budget * sweep.seeds, outcome)

    def evaluate(points: list[Settings]) -> list[list[Outcome]]:
        nonlocal before
        session.run(points, count)
        before += len(points) * sweep.seeds
        return [session.at(point) for point in points]

    points = find(sweep.space, sweep.ranges, search.objectives, search.budget, search.seed, evaluate)
    table = table_of(sweep, points, session.at)
    values = [values_at(search.objectives, session.at(point)) for point in points]
    table.insert(len(sweep.axes()), "pareto", pareto(values, search.objectives))
    return table


def refuse_nothing(search: Search, table: pandas.DataFrame, at: SourceFile) -> None:
    """Raises InputError for a search that found no point."""
    if table["pareto"].any():
        return
    for objective in search.objectives:
        if int(table["runs"].sum()) > 0 and table[f"{objective.figure}.mean"].isna().all():
            raise at.refuse(
                f"objectives.{objective.figure}", "no run has this figure, so nothing was found; choose another one"
            )
    raise InputError(f"no run worked, so nothing was found; the first one: {table['reason'].iloc[0]}")


def main(arguments: Sequence[str]) -> int:
    what = "what is varied, and what is wanted of it"
    options = read_options(parser_of("optimize", _DESCRIPTION, _EXAMPLE, "SEARCH.toml", what), arguments)
    tree, source = read_tree(options.file, SHOWN)
    sweep = sweep_of(tree, source, options.file.parent)
    say_notes(sweep)
    search = search_of(tree, sweep)
    sweep = with_objectives(sweep, search)
    folder = folder_of(options)
    pool = pool_of(options, ["optimize", *arguments])
    with (
        Session(sweep, folder, pool, options.force) as session,
        SweepProgress(search.budget, sweep.seeds, options.quiet) as progress,
    ):
        table = optimize(sweep, search, session, progress)
    written = write_tables(sweep, options.file.stem, table, folder, search.wishes())
    refuse_nothing(search, table, source)
    if not options.quiet:
        first = search.objectives[0]
        best = table[table["pareto"]].sort_values(f"{first.figure}.mean", ascending=not first.maximize)
        shown = [*sweep.axes(), *(f"{objective.figure}.mean" for objective in search.objectives)]
        print(f"{len(best)} of {len(table)} points {'is' if len(best) == 1 else 'are'} beaten by none:\n")
        print(console_text(best[shown], terminal_width(), most_rows=40))
        say_where(folder, written, session.reported())
        say_failed(table)
    return 0
