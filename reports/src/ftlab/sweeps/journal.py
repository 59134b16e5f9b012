"""What has run so far, a line each, so that a sweep that was killed is resumed.

A run is known by its settings and seed, whatever sweep asked for it: a sweep that grows computes what is new. A line
that was being written when the process died has no end, and is dropped.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ftlab.errors import InputError

_NAME = "runs.jsonl"
_FORMAT = 1
_BEGIN = b'{"ftlab-sweep":'
_LOCK_S = 1.0
# What must be the same for runs of two calls to stand in one table.
_PARTS = {
    "program": "another build of ftlab",
    "study": "another study",
    "inputs": "parts, hosts, scenarios or traces that have changed",
}


@dataclass(frozen=True)
class Outcome:
    """Of one run: every figure that is a number, or why there is none."""

    figures: dict[str, float]
    ended_early: bool = False
    reason: str = ""  # why it failed; empty: it did not
    lasts: bool = True  # it would fail again; what does not last is run again by the next call
    notes: tuple[str, ...] = ()  # what the program had to say of the study


def notes_of(outcomes: Iterable[Outcome]) -> list[str]:
    """Each once, with how many runs it is about."""
    counts = Counter(note for outcome in outcomes for note in outcome.notes)
    return [note if count == 1 else f"{note} ({count} runs)" for note, count in counts.items()]


def run_key(settings: dict[str, Any], seed: int) -> str:
    return json.dumps([sorted(settings.items()), seed], ensure_ascii=False, separators=(",", ":"))


class Journal:
    """The file DIR/runs.jsonl, held by one process at a time."""

    def __init__(self, folder: Path, wanted: dict[str, str], start_over: bool = False) -> None:
        self._path = folder / _NAME
        self.outcomes: dict[str, Outcome] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        except OSError as error:
            raise InputError(f"{self._path}: cannot be written ({error.strerror}); choose another --out") from None
        self._lock(folder)
        try:
            if start_over:
                self._clear()
            self._read(wanted)
            self._known = os.fstat(self._file).st_size
        except BaseException:
            self.close()
            raise

    @staticmethod
    def is_in(folder: Path) -> bool:
        return (folder / _NAME).exists()

    def _clear(self) -> None:
        begin = self._path.read_bytes()[: len(_BEGIN)]
        if begin != _BEGIN[: len(begin)]:
            raise InputError(f"{self._path}: is no journal of a sweep, and is left alone; choose another --out")
        os.ftruncate(self._file, 0)

    def forget_new(self) -> None:
        """Drops what was added since the journal was opened."""
        os.ftruncate(self._file, self._known)

    def _lock(self, folder: Path) -> None:
        # A simulation that was just being started when its sweep was killed holds the file for a moment.
        until = time.monotonic() + _LOCK_S
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError as error:
                if error.errno == errno.EWOULDBLOCK and time.monotonic() < until:
                    time.sleep(0.02)
                    continue
                os.close(self._file)
                if error.errno != errno.EWOULDBLOCK:
                    raise InputError(f"{folder}: cannot be locked ({error.strerror}); choose another --out") from None
                raise InputError(
                    f"{folder}: another sweep is running there; wait for it, or choose another --out"
                ) from None

    def _read(self, wanted: dict[str, str]) -> None:
        whole, newline, rest = self._path.read_bytes().rpartition(b"\n")
        header = {"ftlab-sweep": _FORMAT, **wanted}
        if not newline and rest[: len(_BEGIN)] == _BEGIN[: len(rest)]:  # new, or killed while it was begun
            os.ftruncate(self._file, 0)
            self._append(header)
            return
        try:
            found, *rows = (json.loads(line) for line in whole.splitlines())
            if found["ftlab-sweep"] != _FORMAT:
                raise ValueError
            self.outcomes = {row.pop("run"): Outcome(**row | {"notes": tuple(row["notes"])}) for row in rows}
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InputError(
                f"{self._path}: is no journal of a sweep; choose another --out, or start over with --force"
            ) from None
        for part, what in _PARTS.items():
            if found.get(part) != header[part]:
                raise InputError(
                    f"{self._path}: holds runs of {what}; choose another --out, or start over with --force"
                )
        if rest:
            os.ftruncate(self._file, len(whole) + len(newline))

    def add(self, run: str, outcome: Outcome) -> None:
        self.outcomes[run] = outcome
        if not outcome.lasts:
            return
        self._append({"run": run, **asdict(outcome)})

    def _append(self, row: dict[str, Any]) -> None:
        line = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
        try:
            while line:
                line = line[os.write(self._file, line) :]
        except OSError as error:
            raise InputError(
                f"{self._path}: cannot be written ({error.strerror}); free space and start the sweep again"
            ) from None

    def close(self) -> None:
        os.close(self._file)
