"""One run of a sweep: what is asked, and what comes of it, on whichever machine."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from ftlab.errors import RunError
from ftlab.program import simulate
from ftlab.result import numbers_of, read_result
from ftlab.sweeps.journal import Outcome

_REFUSED = 2


@dataclass(frozen=True)
class Job:
    key: str
    settings: tuple[str, ...]  # KEY=VALUE


def run_job(study: Path | None, job: Job, scratch: Path | None = None) -> Outcome:
    """`study` None: every key has its default. `scratch`: a folder for what the run writes, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="ftlab-", dir=scratch) as folder:
        file = study
        if file is None:
            file = Path(folder) / "study.toml"
            file.write_text("")
        try:
            notes = simulate(file, job.settings, Path(folder) / "out")
        except RunError as failure:
            # What the machine did to the run says nothing of the point.
            refused = failure.status == _REFUSED and "cannot be written" not in failure.reason
            return Outcome({}, reason=failure.reason.replace(f"{folder}/", ""), lasts=refused)
        document = read_result(Path(folder) / "out" / "result.json").json
        return Outcome(numbers_of(document), bool(document["host"]["ended_early"]), notes=tuple(notes))
