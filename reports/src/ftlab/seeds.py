"""`ftlab run --seeds N`: one study with several seeds, and how far its figures spread.

The program hands it over when it has checked study and folder.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ftlab import interrupts
from ftlab.arguments import Parser
from ftlab.errors import InputError, RunError
from ftlab.program import ENDED_EARLY, answer, simulate, typed
from ftlab.progress import ProgressLine
from ftlab.reproduce.samples import Samples, deviation, summarized
from ftlab.result import entry_at, figure_rows
from ftlab.sweeps.pool import jobs_at_once
from ftlab.sweeps.table import half_width_95
from ftlab.threads import finished
from ftlab.write import write_whole

Document = dict[str, Any]
# What the study fixes does not spread over seeds.
_FIXED = ("device.", "host.")


def _parser() -> Parser:
    parser = Parser("ftlab run", "One study with several seeds; mean and 95 % interval of its figures.")
    parser.add_argument("study", metavar="STUDY", type=Path)
    parser.add_argument("--seeds", metavar="N", type=int, required=True)
    parser.add_argument("--seed", metavar="N", type=int, required=True, help="the first one")
    parser.add_settings("another value for a key of the study")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True)
    parser.add_argument("--jobs", metavar="N", type=int)
    parser.add_argument("-q", "--quiet", action="store_true")
    parser.add_argument("--json", action="store_const", const="--json", dest="form")
    parser.add_argument("--csv", action="store_const", const="--csv", dest="form")
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    path = options.out / "result.json"
    seeds = range(options.seed, options.seed + options.seeds)
    documents, notes = _documents(options.study, options.settings, seeds, jobs_at_once(options.jobs), options.quiet)
    for note in notes:
        print(f"ftlab: note: {note}", file=sys.stderr)
    document = ensemble_of(documents, list(seeds))
    with interrupts.held():
        write_whole(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")
        interrupts.say(f"written: {path}")
    if not options.quiet:
        print(answer("show", str(path), *([options.form] if options.form else [])), end="")
        if options.form is None:
            print(f"\nResults: {path}\nReport:  {typed()} report {options.out}")
    return ENDED_EARLY if document["ensemble"]["ended_early"] else 0


def _documents(
    study: Path, settings: Sequence[str], seeds: Sequence[int], at_once: int, quiet: bool
) -> tuple[list[Document], list[str]]:
    """Of each seed, and what the program noted."""
    found: dict[int, Document] = {}
    notes: dict[str, None] = {}
    with (
        tempfile.TemporaryDirectory(prefix="ftlab-") as scratch,
        ThreadPoolExecutor(at_once) as threads,
        ProgressLine("simulating", "runs", quiet) as progress,
    ):
        progress.begin(0, len(seeds))

        def run(seed: int) -> tuple[Document, list[str]]:
            folder = Path(scratch) / str(seed)
            try:
                said = simulate(study, [*settings, f"seed={seed}"], folder)
            except RunError as failure:
                raise InputError(failure.reason) from None
            document: Document = json.loads((folder / "result.json").read_bytes())
            return document, said

        for seed, (document, said) in finished(threads, run, seeds, 2 * at_once):
            found[seed] = document
            notes |= dict.fromkeys(said)
            progress.update(len(found), len(seeds), f"seed {seed}")
    return [found[seed] for seed in seeds], list(notes)


def ensemble_of(documents: Sequence[Document], seeds: Sequence[int]) -> Document:
    """The first document, with what all of them say together (docs/results.md, ensemble)."""
    whole = dict(documents[0])
    run = whole.pop("run")
    ended = sum(bool(document["host"]["ended_early"]) for document in documents)
    figures = {}
    for path in _spreading():
        values = [value for document in documents if (value := _number(document, path)) is not None]
        if len(values) == len(documents):
            mean, half = summarized(Samples(values)).mean, half_width_95(values)
            figures[path] = {"mean": mean, "stddev": deviation(values), "low": mean - half, "high": mean + half}
    whole["ensemble"] = {
        "seeds": list(seeds),
        "ended_early": ended,
        "figures": figures,
        "warnings": _warnings(ended, len(documents)),
    }
    return whole | {"run": run}


def _spreading() -> list[str]:
    """Figures that the device or the firmware brought about."""
    return [
        path
        for path, row in figure_rows().items()
        if row["type"] in ("integer", "number") and not path.startswith(_FIXED)
    ]


def _number(document: Document, path: str) -> float | None:
    value = entry_at(document, path)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _warnings(ended: int, runs: int) -> list[str]:
    """Runs of one study that end differently are no sample of one thing."""
    if ended in (0, runs):
        return []
    return [
        f"{ended} of {runs} runs ended early at the device's end of life; means over all of them mix whole and "
        "shortened runs"
    ]
