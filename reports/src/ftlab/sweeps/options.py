"""What `ftlab sweep` and `ftlab optimize` ask of the command line, and say of their results, alike."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ftlab.arguments import Parser, given_path
from ftlab.commands import need
from ftlab.errors import InputError
from ftlab.program import typed
from ftlab.sweeps.journal import Outcome, notes_of
from ftlab.sweeps.pool import LocalPool, Pool, jobs_at_once
from ftlab.sweeps.spec import Sweep

if TYPE_CHECKING:
    import pandas


def parser_of(command: str, description: str, example: str, file: str, what: str) -> Parser:
    """`file` is the one argument as the help shows it, `what` what it holds."""
    parser = Parser(prog=f"ftlab {command}", description=description, epilog=example)
    parser.add_argument("file", metavar=file, type=given_path, help=what)
    parser.add_argument("--out", metavar="DIR", help="folder for table and journal (default: out/NAME-OF-FILE)")
    parser.add_argument("--jobs", metavar="N", type=int, help="simulations at once (default: one for each processor)")
    parser.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="simulations on the workers of this Dask scheduler, such as tcp://host:8786",
    )
    parser.add_argument(
        "--cluster",
        metavar="SYSTEM",
        help="simulations on workers of a queueing system: slurm, lsf, pbs, sge, htcondor",
    )
    parser.add_argument("--workers", metavar="N", type=int, default=2, help="of --cluster, one core each (default: 2)")
    parser.add_argument("--force", action="store_true", help="start over, whatever runs and tables the folder holds")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    return parser


def read_options(parser: Parser, arguments: Sequence[str]) -> argparse.Namespace:
    """Raises InputError for counts below 1 and options that exclude each other."""
    options = parser.read(arguments)
    for name in ("jobs", "workers"):
        count = getattr(options, name)
        if count is not None and count < 1:
            raise InputError(f"--{name} {count}: must be a whole number from 1 on")
    if options.out == "":
        raise InputError("--out: must not be empty; name a folder for the results")
    if options.scheduler is not None and options.cluster is not None:
        raise InputError("--scheduler and --cluster exclude each other; give one")
    if options.jobs is not None and (options.scheduler is not None or options.cluster is not None):
        raise InputError("--jobs is for this machine; the scheduler decides how many run at once")
    return options


def folder_of(options: argparse.Namespace) -> Path:
    return Path("out") / options.file.stem if options.out is None else Path(options.out)


def pool_of(options: argparse.Namespace, command: Sequence[str]) -> Pool:
    """`command` is what starts anew when a package had to be installed."""
    if options.scheduler is None and options.cluster is None:
        return LocalPool(folder_of(options), jobs_at_once(options.jobs))
    need("ftlab.sweeps.dask_pool", "full", command)
    from ftlab.sweeps.dask_pool import DaskPool, client_of

    return DaskPool(client_of(options.scheduler, options.cluster, options.workers))


def say_notes(sweep: Sweep) -> None:
    for note in sweep.notes:
        print(f"ftlab: note: {note}", file=sys.stderr)


def say_failed(table: pandas.DataFrame) -> None:
    """A note where points failed: how many, and why the first one did."""
    reasons = table.loc[table["failed"] > 0, "reason"]
    if reasons.empty:
        return
    said = f"{len(reasons)} of {len(table)} points failed, the first because of: {reasons.iloc[0]}"
    print(f"ftlab: note: {said}", file=sys.stderr)


def say_where(folder: Path, written: Iterable[Path], outcomes: Iterable[Outcome]) -> None:
    print("\n" + "\n".join(f"Table:   {path}" for path in written))
    print(f"Report:  {typed()} report {folder}")
    for note in notes_of(outcomes):
        print(f"ftlab: note: {note}", file=sys.stderr)
