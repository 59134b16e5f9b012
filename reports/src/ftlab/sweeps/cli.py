"""`ftlab sweep`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ftlab.arguments import Parser
from ftlab.errors import InputError
from ftlab.sweeps.engine import journal_of, run_points
from ftlab.sweeps.journal import notes_of
from ftlab.sweeps.options import add_options, check_options, folder_of, pool_of
from ftlab.sweeps.progress import ProgressLine
from ftlab.sweeps.spec import read_sweep
from ftlab.sweeps.table import table_of, write_tables

_EXAMPLE = """a sweep file:
  study = "cat.toml"                 # or [study] with keys in place
  seeds = 4
  figures = ["flash.erases", "throughput.write_bytes_per_s"]
  [axes]
  "ftl.utilization" = [0.5, 0.7, 0.9]
  "ftl.selection" = ["greedy", "cat"]

examples:
  ftlab sweep SWEEP.toml             results in out/SWEEP
  ftlab sweep SWEEP.toml --jobs 1    one simulation at a time
The same command resumes a sweep that was interrupted. docs/sweeps.md has ranges, linked axes and samples.

exit status: 0 done, though some points may have failed (the table says why); 2 wrong input, or no run worked;
130 interrupted"""


def _parser() -> Parser:
    parser = Parser(
        prog="ftlab sweep",
        description="Runs a study with every combination of values; one table of figures with their intervals.",
        epilog=_EXAMPLE,
    )
    parser.add_argument("sweep", metavar="SWEEP.toml", type=Path, help="what is varied")
    add_options(parser)
    return parser


def main(arguments: Sequence[str]) -> int:
    try:
        options = _parser().read(arguments)
        check_options(options)
        sweep = read_sweep(options.sweep)
        points = sweep.points()
        folder = folder_of(options, options.sweep)
        pool = pool_of(options, folder, ["sweep", *arguments])
        with (
            journal_of(sweep, folder, options.force) as journal,
            ProgressLine(len(points), sweep.seeds, options.quiet) as progress,
        ):
            run_points(sweep, points, journal, pool, progress.update)
        table = table_of(sweep, points, journal.outcomes)
        written = write_tables(sweep, options.sweep.stem, table, folder)
    except InputError as error:
        print(f"ftlab: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ftlab: interrupted; the same command resumes it", file=sys.stderr)
        return 130
    if not options.quiet:
        print(table.to_string(index=False, max_rows=20, max_colwidth=40))
        print("\n" + "\n".join(f"Table:   {path}" for path in written))
        print(f"Report:  ./ftlab report {folder}")
        for note in notes_of(journal.outcomes.values()):
            print(f"ftlab: note: {note}", file=sys.stderr)
    failed = int((table["failed"] > 0).sum())
    if failed and (not options.quiet or failed == len(table)):
        reason = table.loc[table["failed"] > 0, "reason"].iloc[0]
        print(f"ftlab: note: {failed} of {len(table)} points failed, the first because of: {reason}", file=sys.stderr)
    return 2 if int(table["runs"].sum()) == 0 else 0
