"""A finished run again, with its requests, its operations and its bus on record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ftlab.errors import InputError
from ftlab.program import simulate
from ftlab.result import Result, read_result

if TYPE_CHECKING:
    import pandas

TICK_DIGITS = 10  # of a second: the resolution of the simulation
_SUFFIX = "_s"
_OWN = ("arrival_s", "begin_s", "end_s", "bus_s", "cpu_s")


@dataclass(frozen=True)
class Record:
    """Times are seconds of simulated time. `requests` and `bus` are as docs/results.md has the logs."""

    result: Result
    requests: pandas.DataFrame
    operations: pandas.DataFrame  # of the measured phase
    bus: pandas.DataFrame

    @property
    def causes(self) -> list[str]:
        """What the firmware worked for, as the columns of `requests` name it."""
        names = [name for name in self.requests.columns if name.endswith(_SUFFIX) and name not in _OWN]
        return [name.removesuffix(_SUFFIX) for name in names]


def result_file(place: Path) -> Path:
    """Raises InputError where there is no result."""
    found = place / "result.json" if place.is_dir() else place
    if not found.is_file():
        raise InputError(f"{found}: no such file; give the folder that `ftlab run --out` named, or a result.json")
    return found


@contextmanager
def repeated(place: Path) -> Iterator[Record]:
    """Simulates again what a folder holds. A result repeats itself, so its figures are those on record."""
    import pandas as pd

    file = result_file(place)
    result = read_result(file)
    with tempfile.TemporaryDirectory(prefix="ftlab-") as folder:
        logs = {name: Path(folder) / f"{name}.csv" for name in ("requests", "ops", "bus")}
        words = [word for name, path in logs.items() for word in (f"--log-{name}", str(path))]
        simulate(file.absolute(), [], Path(folder) / "out", words)
        _check_same(file, result, read_result(Path(folder) / "out" / "result.json"))
        tables = {name: pd.read_csv(path) for name, path in logs.items()}
        # Mounts after losses of power belong to the measured phase.
        phases = ["measure", "mount"]
        measured = {name: tables[name][tables[name]["phase"].isin(phases)].reset_index() for name in ("ops", "bus")}
        yield Record(result, tables["requests"], measured["ops"], measured["bus"])


def _check_same(file: Path, was: Result, now: Result) -> None:
    """An ensemble's file is that of its first seed."""
    for part in ("time", "host", "flash"):
        if was.json.get(part) != now.json.get(part):
            raise InputError(f"{file}: another ftlab made it, which simulated otherwise; run its study anew")
