"""`ftlab sweep`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ftlab.errors import InputError
from ftlab.sweeps.engine import run_sweep
from ftlab.sweeps.pool import jobs_at_once
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
The same command goes on with a sweep that was interrupted. docs/sweeps.md has ranges, linked axes and samples.

exit status: 0 done, though some points may have failed (the table says why); 2 wrong input, or no run worked;
130 interrupted"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ftlab sweep",
        description="Runs a study with every combination of values; one table of figures with their intervals.",
        epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("sweep", metavar="SWEEP.toml", type=Path, help="what is varied")
    parser.add_argument(
        "--out", metavar="DIR", type=Path, help="folder for table and journal (default: out/NAME-OF-SWEEP)"
    )
    parser.add_argument("--jobs", metavar="N", type=int, help="simulations at once (default: one for each processor)")
    parser.add_argument("--force", action="store_true", help="start over, whatever runs the folder holds")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    folder: Path = options.out or Path("out") / options.sweep.stem
    try:
        if options.jobs is not None and options.jobs < 1:
            raise InputError(f"--jobs {options.jobs}: must be a whole number from 1 on")
        sweep = read_sweep(options.sweep)
        with ProgressLine(len(sweep.points), sweep.seeds, options.quiet) as progress:
            outcomes = run_sweep(sweep, folder, jobs_at_once(options.jobs), progress.update, options.force)
        table = table_of(sweep, outcomes)
        written = write_tables(table, folder)
    except InputError as error:
        print(f"ftlab: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("ftlab: interrupted; the same command goes on", file=sys.stderr)
        return 130
    failed = int((table["failed"] > 0).sum())
    if not options.quiet:
        print(table.to_string(index=False, max_rows=20, max_colwidth=40))
        print("\n" + "\n".join(f"Table:   {path}" for path in written))
    if failed:
        reason = table.loc[table["failed"] > 0, "reason"].iloc[0]
        print(f"ftlab: note: {failed} of {len(table)} points failed, the first because of: {reason}", file=sys.stderr)
    return 2 if int(table["runs"].sum()) == 0 else 0
