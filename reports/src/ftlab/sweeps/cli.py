"""`ftlab sweep`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ftlab.sweeps.console import console_text
from ftlab.sweeps.options import folder_of, parser_of, pool_of, read_options, say_failed, say_notes, say_where
from ftlab.sweeps.progress import SweepProgress
from ftlab.sweeps.session import Session
from ftlab.sweeps.spec import Sweep, read_sweep
from ftlab.sweeps.table import table_of, write_tables
from ftlab.text_table import terminal_width

if TYPE_CHECKING:
    import pandas

_DESCRIPTION = "Runs a study with every combination of values; one table of figures with their intervals."
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
128 + N ended by signal N, 130 by Ctrl-C"""


def main(arguments: Sequence[str]) -> int:
    options = read_options(parser_of("sweep", _DESCRIPTION, _EXAMPLE, "SWEEP.toml", "what is varied"), arguments)
    sweep = read_sweep(options.file)
    say_notes(sweep)
    points = sweep.points()
    folder = folder_of(options)
    pool = pool_of(options, ["sweep", *arguments])
    with (
        Session(sweep, folder, pool, options.force) as session,
        SweepProgress(len(points), sweep.seeds, options.quiet) as progress,
    ):
        session.run(points, progress.record)
    table = table_of(sweep, points, session.at)
    written = write_tables(sweep, options.file.stem, table, folder)
    if not options.quiet:
        print(console_text(table, terminal_width()))
        say_where(folder, written, session.reported())
        _note_empty_columns(sweep, table)
    if not options.quiet or bool((table["failed"] > 0).all()):
        say_failed(table)
    return 2 if int(table["runs"].sum()) == 0 else 0


def _note_empty_columns(sweep: Sweep, table: pandas.DataFrame) -> None:
    if int(table["runs"].sum()) == 0:
        return
    for figure in sweep.figures:
        if table[f"{figure}.mean"].isna().all():
            print(f"ftlab: note: no run has the figure {figure}", file=sys.stderr)
