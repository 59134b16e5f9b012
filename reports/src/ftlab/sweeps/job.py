"""One run of a sweep: what is asked, and what comes of it, on whichever machine."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from ftlab.errors import InputError, RunError
from ftlab.program import REFUSED, simulate
from ftlab.result import numbers_of, read_result
from ftlab.sweeps.journal import Outcome

_NO_STUDY = "study.toml"  # an empty one, which nobody wrote


@dataclass(frozen=True)
class Job:
    key: str
    settings: tuple[str, ...]  # KEY=VALUE


def run_job(study: Path | None, job: Job, scratch: Path | None = None) -> Outcome:
    """`study` None: every key has its default. `scratch`: a folder for what the run writes, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="ftlab-", dir=scratch) as folder:
        file = study
        if file is None:
            file = Path(folder) / _NO_STUDY
            file.write_text("")
        try:
            notes = simulate(file, job.settings, Path(folder) / "out")
        except RunError as failure:
            if "cannot be written" in failure.reason:
                raise InputError(f"a simulation could not write: {failure.reason}") from None
            # What the machine did to the run says nothing of the point.
            reason = _as_default(failure.reason, folder).replace(f"{folder}/", "")
            return Outcome({}, reason=reason, lasts=failure.status == REFUSED)
        document = read_result(Path(folder) / "out" / "result.json").json
        notes = [_as_default(note, folder) for note in notes]
        return Outcome(numbers_of(document), bool(document["host"]["ended_early"]), notes=tuple(notes))


def _as_default(line: str, folder: str) -> str:
    """What the program said of the empty study, without the name of a file that nobody has."""
    return line.replace(f"{folder}/{_NO_STUDY}: ", "by default: ")
