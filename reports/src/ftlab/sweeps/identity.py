"""What makes runs of two calls the same experiment: program, study, and every file that these name."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.program import digest, listing, program
from ftlab.sweeps.spec import NAMED, PATHS, Sweep, is_file
from ftlab.values import ValueRefusedError, flattened


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _study_values(study: Path | None) -> dict[str, Any]:
    """Of a study file; a result.json has its parts and traces in itself, and none is looked for."""
    if study is None or study.suffix == ".json":
        return {}
    try:
        return flattened(tomllib.loads(study.read_text(encoding="utf-8")))
    except (ValueError, ValueRefusedError, RecursionError):
        return {}  # the first run says what is wrong with it


def _listed(key: str, name: str) -> str:
    """Of every number of a part, host or scenario as it is now; empty where there is none: its runs fail."""
    try:
        return _digest(json.dumps(listing.__wrapped__(NAMED[key], name)).encode())
    except (InputError, OSError, ValueError):
        return ""


class Inputs:
    """What a sweep's study and axes name, as it was when the sweep began: each run opens it anew."""

    def __init__(self, sweep: Sweep) -> None:
        """Raises InputError when the study cannot be read."""
        folder = sweep.study.parent if sweep.study else Path()
        self._files = [program(), *([sweep.study] if sweep.study else [])]
        self._names: dict[tuple[str, str], str] = {}
        try:
            study = sweep.study.read_bytes() if sweep.study else b""
            found = []
            for key, value in _named_by(sweep):
                if is_file(folder / value):
                    self._files.append(folder / value)
                    found.append((key, value, _file_digest(folder / value)))
                elif key in NAMED:
                    self._names[key, value] = _listed(key, value)
                    found.append((key, value, self._names[key, value]))
        except OSError as error:
            raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None
        self._marks = [_mark(file) for file in self._files]
        base = json.dumps(sorted(sweep.base.items())).encode()
        self.identity = {
            "program": digest(),
            "study": _digest(study + base),
            "inputs": _digest(json.dumps(sorted(found)).encode()),
        }

    def check_files(self) -> None:
        """Raises InputError when one is no longer what it was; quick."""
        for file, mark in zip(self._files, self._marks, strict=True):
            if _mark(file) != mark:
                raise InputError(f"{file}: has changed while the sweep ran; start it again")

    def check_names(self) -> None:
        """The same of parts, hosts and scenarios that are known by name: a process for each."""
        for (key, name), before in self._names.items():
            if _listed(key, name) != before:
                raise InputError(f"{key} {name}: has changed while the sweep ran; start it again")


def _named_by(sweep: Sweep) -> Iterator[tuple[str, str]]:
    in_study = _study_values(sweep.study)
    for key in PATHS:
        varied = [row[key] for group in sweep.space.groups for row in group if key in row]
        values = [in_study.get(key), sweep.base.get(key), *varied]
        for value in dict.fromkeys(value for value in values if isinstance(value, str) and value):
            yield key, value


def _mark(file: Path) -> tuple[int, int, int]:
    try:
        stat = file.stat()
        return stat.st_ino, stat.st_mtime_ns, stat.st_size
    except OSError:
        return 0, 0, 0
