"""Simulations that experiments ask for, each run once however many experiments need it."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ftlab.errors import RunError
from ftlab.program import answer_with_notes, simulate
from ftlab.progress import ProgressLine
from ftlab.reproduce.spec import Settings
from ftlab.runs import setting
from ftlab.threads import finished

Document = dict[str, Any]


@dataclass(frozen=True)
class Request:
    label: str  # for progress and errors
    command: str  # of the program: run, or driver
    settings: tuple[str, ...]  # KEY=VALUE
    seed: int
    profiled: bool = False  # the document holds `profile`, folded stacks as text

    @property
    def key(self) -> tuple[str, tuple[str, ...], int, bool]:
        return (self.command, self.settings, self.seed, self.profiled)


def request(label: str, command: str, settings: Settings, seed: int, profile: bool = False) -> Request:
    """`profile`: where the firmware runs on a simulated core, its cycles are wanted, too."""
    profiled = profile and settings.get("platform.processor", "native") != "native"
    return Request(label, command, tuple(setting(key, settings[key]) for key in sorted(settings)), seed, profiled)


@dataclass(frozen=True)
class Answer:
    document: Document
    notes: list[str]  # what the program had to say of the study


class Bank:
    """Runs what it does not know yet, so many at once."""

    def __init__(self, at_once: int, progress: ProgressLine) -> None:
        self._at_once = at_once
        self._progress = progress
        self._known: dict[Any, Document] = {}
        self._noted: dict[str, list[str]] = {}  # note -> the runs that it is about
        self._done = self._planned = 0

    def plan(self, count: int) -> None:
        """So many runs are to come, in one call of results() or several: progress is counted over all of them."""
        self._done, self._planned = 0, count
        self._progress.begin(0, count)

    def say_notes(self) -> None:
        """What the program noted of runs, each once, with the first that it is about."""
        for note, runs in self._noted.items():
            count = f" ({len(runs)} runs)" if len(runs) > 1 else ""
            print(f"ftlab: note: {runs[0]}: {note}{count}", file=sys.stderr)

    def _missing(self, requests: Iterable[Request]) -> list[Request]:
        return list({one.key: one for one in requests if one.key not in self._known}.values())

    def results(self, requests: Iterable[Request], keep: bool = True) -> list[Document]:
        """In the order of the requests. `keep`: results stay in memory, for experiments to come."""
        asked = list(requests)
        missing = self._missing(asked)
        fresh: dict[Any, Document] = {}
        notes: dict[Any, list[str]] = {}
        if self._done + len(missing) > self._planned:
            self.plan(len(missing))
        with (
            tempfile.TemporaryDirectory(prefix="ftlab-") as scratch,
            ThreadPoolExecutor(self._at_once) as threads,
        ):
            for one, answer in finished(threads, lambda job: _run(job, Path(scratch)), missing, 2 * self._at_once):
                fresh[one.key] = answer.document
                notes[one.key] = answer.notes
                self._done += 1
                self._progress.update(self._done, self._planned, one.label)
        for one in missing:
            for note in notes[one.key]:
                self._noted.setdefault(note, []).append(one.label)
        if keep:
            self._known |= fresh
        return [self._known.get(one.key) or fresh[one.key] for one in asked]


def _run(asked: Request, scratch: Path) -> Answer:
    """Raises RunError that names the run."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        study = Path(folder) / "study.toml"
        study.write_text("")
        settings = (*asked.settings, f"seed={asked.seed}")
        try:
            if asked.command != "run":
                words = [word for setting_ in settings for word in ("--set", setting_)]
                text, notes = answer_with_notes(asked.command, str(study), *words, "--json")
                return Answer(json.loads(text), _plain(notes))
            cycles = Path(folder) / "cycles.folded"
            notes = simulate(
                study, settings, Path(folder) / "out", ("--profile", str(cycles)) if asked.profiled else ()
            )
        except RunError as failure:
            reason = failure.reason.replace(f"{folder}/", "")
            raise RunError(f"{asked.label}, seed {asked.seed}: {reason}", failure.status) from None
        document: Document = json.loads((Path(folder) / "out" / "result.json").read_bytes())
        if asked.profiled:
            document["profile"] = cycles.read_text()
        for file in ("study", "profile"):
            document["run"].pop(file, None)  # gone when this returns
        return Answer(document, _plain(notes))


def _plain(notes: Iterable[str]) -> list[str]:
    """Keys are given on the command line here, which is nobody's business."""
    return [note.removeprefix("--set: ") for note in notes]
