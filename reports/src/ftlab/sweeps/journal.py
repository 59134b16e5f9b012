"""What has run so far, a line each, so that a sweep that was killed goes on where it was.

A run is known by its settings and seed, whatever sweep asked for it: a sweep that grows computes what is new. A line
that was being written when the process died has no end, and is dropped.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ftlab.errors import InputError

_NAME = "runs.jsonl"
_FORMAT = 1


@dataclass(frozen=True)
class Outcome:
    """Of one run: every figure that is a number, or why there is none."""

    figures: dict[str, float]
    ended_early: bool = False
    reason: str = ""  # why it failed; empty: it did not


def run_key(settings: dict[str, Any], seed: int) -> str:
    return json.dumps([sorted(settings.items()), seed], ensure_ascii=False, separators=(",", ":"))


def identity(program: Path, study: Path | None, base: dict[str, Any]) -> dict[str, str]:
    """What makes runs of two sweeps the same experiment: the program and the study around which keys are varied."""
    study_bytes = study.read_bytes() if study else b""
    return {
        "program": hashlib.sha256(program.read_bytes()).hexdigest(),
        "study": hashlib.sha256(study_bytes + json.dumps(sorted(base.items())).encode()).hexdigest(),
    }


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
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise InputError(
                f"{folder}: another sweep is running there; wait for it, or choose another --out"
            ) from None
        try:
            if start_over:
                os.ftruncate(self._file, 0)
            self._read(wanted)
        except BaseException:
            self.close()
            raise

    def _read(self, wanted: dict[str, str]) -> None:
        whole, _, rest = self._path.read_bytes().rpartition(b"\n")
        if rest:
            os.ftruncate(self._file, len(whole) + (1 if whole else 0))
        lines = whole.splitlines()
        header = {"ftlab-sweep": _FORMAT, **wanted}
        if not lines:
            self._append(header)
            return
        try:
            found, *rows = (json.loads(line) for line in lines)
            self.outcomes = {row.pop("run"): Outcome(**row) for row in rows}
        except (ValueError, TypeError, KeyError, AttributeError):
            raise InputError(
                f"{self._path}: is no journal of a sweep; choose another --out, or start over with --force"
            ) from None
        for part, what in (("program", "another build of ftlab"), ("study", "another study")):
            if found.get(part) != header[part]:
                raise InputError(
                    f"{self._path}: holds runs of {what}; choose another --out, or start over with --force"
                )

    def add(self, run: str, outcome: Outcome) -> None:
        self.outcomes[run] = outcome
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
