"""What makes runs of two calls the same experiment: program, study, and every file that these name."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ftlab.errors import InputError
from ftlab.program import digest, listing, program
from ftlab.sweeps.spec import Sweep
from ftlab.values import flattened

# Key -> the command that lists every number of what it names.
_NAMED = {"part": "parts", "host": "hosts", "workload.scenario": "scenarios"}
_FILES = ("workload.path",)


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
    except ValueError:
        return {}  # the first run says what is wrong with it


def _digest_of(key: str, value: str, folder: Path) -> str:
    file = folder / value
    if file.is_file():
        return _file_digest(file)
    try:
        return _digest(json.dumps(listing(_NAMED[key], value)).encode()) if key in _NAMED else ""
    except InputError:
        return ""  # there is none: the runs that name it fail


def _inputs(sweep: Sweep) -> Iterable[tuple[str, str, str]]:
    in_study = _study_values(sweep.study)
    folder = sweep.study.parent if sweep.study else Path()
    for key in (*_NAMED, *_FILES):
        varied = [row[key] for group in sweep.space.groups for row in group if key in row]
        for value in dict.fromkeys([in_study.get(key), sweep.base.get(key), *varied]):
            if isinstance(value, str) and value:
                yield key, value, _digest_of(key, value, folder)


def identity(sweep: Sweep) -> dict[str, str]:
    """Raises InputError when the study cannot be read."""
    try:
        study = sweep.study.read_bytes() if sweep.study else b""
        inputs = sorted(_inputs(sweep))
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be read ({error.strerror})") from None
    base = json.dumps(sorted(sweep.base.items())).encode()
    return {"program": digest(), "study": _digest(study + base), "inputs": _digest(json.dumps(inputs).encode())}


class Unchanged:
    """Program and study as they were when the sweep began: each run opens them anew."""

    def __init__(self, study: Path | None) -> None:
        self._files = [program(), *([study] if study else [])]
        self._before = self._marks()

    def _marks(self) -> list[tuple[int, int, int]]:
        marks = []
        for file in self._files:
            try:
                stat = file.stat()
                marks.append((stat.st_ino, stat.st_mtime_ns, stat.st_size))
            except OSError:
                marks.append((0, 0, 0))
        return marks

    def check(self) -> None:
        for file, before, now in zip(self._files, self._before, self._marks(), strict=True):
            if before != now:
                raise InputError(f"{file}: has changed while the sweep ran; start it again")
