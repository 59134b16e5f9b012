"""What `ftlab sweep` and `ftlab optimize` ask of the command line alike."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from ftlab.commands import need
from ftlab.errors import InputError
from ftlab.sweeps.pool import LocalPool, Pool, jobs_at_once


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out", metavar="DIR", type=Path, help="folder for table and journal (default: out/NAME-OF-FILE)"
    )
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
    parser.add_argument("--force", action="store_true", help="start over, whatever runs the folder holds")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def check_options(options: argparse.Namespace) -> None:
    """Raises InputError for counts below 1 and options that exclude each other."""
    for name in ("jobs", "workers"):
        count = getattr(options, name)
        if count is not None and count < 1:
            raise InputError(f"--{name} {count}: must be a whole number from 1 on")
    if options.scheduler is not None and options.cluster is not None:
        raise InputError("--scheduler and --cluster exclude each other; give one")
    if options.jobs is not None and (options.scheduler is not None or options.cluster is not None):
        raise InputError("--jobs is for this machine; the scheduler decides how many run at once")


def folder_of(options: argparse.Namespace, file: Path) -> Path:
    given: Path | None = options.out
    return given or Path("out") / file.stem


def pool_of(options: argparse.Namespace, folder: Path, command: Sequence[str]) -> Pool:
    """`command` is what starts anew when a package had to be installed."""
    if options.scheduler is None and options.cluster is None:
        return LocalPool(folder / ".scratch", jobs_at_once(options.jobs))
    need("ftlab.sweeps.dask_pool", "full", command)
    from ftlab.sweeps.dask_pool import DaskPool, client_of

    return DaskPool(client_of(options.scheduler, options.cluster, options.workers))
