"""A finished run again, with its requests, its operations and its bus on record."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ftlab.arguments import Parser
from ftlab.errors import InputError
from ftlab.program import simulate
from ftlab.progress import Portion
from ftlab.report.names import LATENCY_PARTS
from ftlab.result import Result, read_result

if TYPE_CHECKING:
    import pandas

TICK_DIGITS = 10  # of a second: the resolution of the simulation
_SUFFIX = "_s"
_TIMES = ("arrival_s", "begin_s", "end_s", "start_s")
LOGS = ("requests", "ops", "bus")
_OF_TRACE = ("workload.path", "workload.sha256")
_OWN = ("arrival_s", "begin_s", "end_s", "bus_s", "cpu_s")
# To follow requests changes no figure; parts that do not tell of operations have nothing to say.
_FOLLOW = "platform.latency_parts=true"


@dataclass(frozen=True)
class Record:
    """The logs of the measured phase as docs/results.md has them, but for their times, which count from its begin. A
    log that was not wanted is empty."""

    result: Result
    requests: pandas.DataFrame
    operations: pandas.DataFrame
    bus: pandas.DataFrame

    @property
    def causes(self) -> list[str]:
        """What the firmware worked for, as the columns of `requests` name it."""
        names = [name for name in self.requests.columns if name.endswith(_SUFFIX) and name not in _OWN]
        return [name.removesuffix(_SUFFIX) for name in names if name.removesuffix(_SUFFIX) not in LATENCY_PARTS]

    @property
    def parts(self) -> list[str]:
        """What latencies are made of, as the columns of `requests` name it; none where requests were not followed."""
        return [part for part in LATENCY_PARTS if f"{part}{_SUFFIX}" in self.requests.columns]


def result_file(place: Path) -> Path:
    """Raises InputError where there is no result."""
    found = place / "result.json" if place.is_dir() else place
    if not found.is_file():
        raise InputError(f"{found}: no such file; give the folder that `ftlab run --out` named, or a result.json")
    return found


def add_settings(parser: Parser) -> None:
    parser.add_settings(
        'where the trace is now: workload.path=FILE; workload.sha256="" compares no checksum, only the figures'
    )


def _check_settings(settings: Sequence[str]) -> None:
    """Other keys would make another run of it."""
    for setting in settings:
        if setting.partition("=")[0] not in _OF_TRACE:
            raise InputError(
                f"--set {setting}: the run is repeated as it was, so only {' and '.join(_OF_TRACE)} can be set; "
                "`ftlab run` makes another run"
            )


def operations_of(result: Result) -> int:
    """How many the measured phase had, bus cycles apart."""
    return sum(int(result.json["flash"][kind]) for kind in ("programs", "reads", "erases"))


def _in_measured_time(frame: pandas.DataFrame, begin_s: float) -> pandas.DataFrame:
    for name in _TIMES:
        if name in frame:
            frame[name] = (frame[name] - begin_s).round(TICK_DIGITS)
    return frame


@contextmanager
def repeated(
    place: Path,
    wanted: Sequence[str] = LOGS,
    span_s: tuple[float, float] = (0.0, math.inf),
    settings: Sequence[str] = (),
) -> Iterator[Record]:
    """Simulates again what a folder holds. A result repeats itself, so its figures are those on record. `wanted` logs
    are filled, with what touches `span_s` of the measured phase. `settings`, KEY=VALUE, say where its trace is."""
    import pandas as pd

    _check_settings(settings)
    file = result_file(place)
    result = read_result(file)
    with tempfile.TemporaryDirectory(prefix="ftlab-") as folder:
        logs = {name: Path(folder) / f"{name}.csv" for name in wanted}
        words = [word for name, path in logs.items() for word in (f"--log-{name}", str(path))]
        words += ["--log-from", repr(span_s[0]), *([] if span_s[1] == math.inf else ["--log-to", repr(span_s[1])])]
        with Portion("simulating it again") as portion:
            simulate(file.absolute(), [*settings, _FOLLOW], Path(folder) / "out", words, portion.update)
        now = read_result(Path(folder) / "out" / "result.json")
        _check_same(file, result, now, settings)
        begin_s = float(now.json["run"]["measured_from_s"])
        tables = {name: _in_measured_time(pd.read_csv(path), begin_s) for name, path in logs.items()}
        nothing = pd.DataFrame()
        yield Record(result, *(tables.get(name, nothing) for name in LOGS))


def _check_same(file: Path, was: Result, now: Result, settings: Sequence[str]) -> None:
    """An ensemble's file is that of its first seed."""
    for part in ("time", "host", "flash"):
        if was.json.get(part) != now.json.get(part):
            if settings:
                raise InputError(f"{file}: is no result of this trace; make one of it with `ftlab run`, and name that")
            raise InputError(f"{file}: another ftlab made it, which simulated otherwise; run its study anew")
