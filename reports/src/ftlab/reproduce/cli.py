"""`ftlab reproduce`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ftlab.arguments import Parser
from ftlab.errors import InputError
from ftlab.program import MAX_SEED, typed
from ftlab.progress import ProgressLine
from ftlab.reproduce.bank import Bank
from ftlab.reproduce.document import document_of, experiment_part, inputs_of_all
from ftlab.reproduce.given import given_settings
from ftlab.reproduce.inputs import inputs_text
from ftlab.reproduce.library import experiment_named, names
from ftlab.reproduce.rows import all_requests
from ftlab.reproduce.spec import Experiment
from ftlab.reproduce.text import experiment_text, parameters_text
from ftlab.sweeps.pool import jobs_at_once
from ftlab.text_table import Column, table_text
from ftlab.write import check_folder, write_whole

_DESCRIPTION = "Published tables and figures beside ours, with a verdict each."
_EXAMPLES = """examples:
  ftlab reproduce --list             what can be reproduced
  ftlab reproduce fms-table4         one table, mean of four seeds
  ftlab reproduce --seeds 1 --no-vary  everything, quickly
  ftlab reproduce desnoyers-table1 --set part_overrides.segments=16125   at the paper's size
  ftlab reproduce my-figure.toml     an experiment of your own (docs/experiments.md)

exit status: 0 all judged figures lie within their tolerance; 1 one differs; 2 wrong input; 128 + N ended by signal N,
130 by Ctrl-C"""
_MAX_SEEDS = 1000
_OUTSIDE_TOLERANCE = 1


def _parser() -> Parser:
    parser = Parser("ftlab reproduce", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "names", metavar="NAME", nargs="*", help="experiments to run, or experiment files (default: all)"
    )
    parser.add_argument("--list", action="store_true", help="what can be reproduced")
    parser.add_argument("--seeds", metavar="N", type=int, default=4, help="seeds to average (default: 4)")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="first seed (default: 1)")
    parser.add_settings("another value for a key of the study, in all runs")
    parser.add_argument(
        "--out", metavar="DIR", default="out/reproduce", help="folder for results (default: out/reproduce)"
    )
    parser.add_argument("--jobs", metavar="N", type=int, help="simulations at once (default: one for each processor)")
    parser.add_argument(
        "--no-vary", action="store_true", help="leave out the runs with unpublished values 20 %% lower and higher"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    return parser


def _experiments(wanted: Sequence[str]) -> list[Experiment]:
    """Those named, or all that can run here."""
    found = [experiment_named(name) for name in wanted or names()]
    able = []
    for experiment in found:
        if experiment.only_named and not wanted:
            continue
        missing = experiment.missing()
        if missing and wanted:
            raise InputError(missing)
        if missing:
            print(f"ftlab: note: {experiment.name} is left out: {missing}", file=sys.stderr)
        else:
            able.append(experiment)
    return able


def _check_names(experiments: Sequence[Experiment]) -> None:
    """They name tables and files of a page."""
    named = [experiment.name for experiment in experiments]
    plots = [plot.name for experiment in experiments for plot in experiment.plots]
    for what, listed in (("experiments", named), ("plots", plots)):
        twice = next((name for name in listed if listed.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"two {what} are named {twice}; give each a name of its own")


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    if options.list:
        rows = [(name, experiment_named(name).summary) for name in names()]
        print(table_text([Column("name"), Column("what it reproduces")], rows), end="")
        return 0
    for name, least, most in (("seeds", 1, _MAX_SEEDS), ("seed", 0, MAX_SEED - _MAX_SEEDS), ("jobs", 1, 2**31)):
        value = getattr(options, name)
        if value is not None and not least <= value <= most:
            raise InputError(f"--{name} {value}: must be a whole number from {least} to {most}")
    if options.out == "":
        raise InputError("--out: must not be empty; name a folder for the results")
    given = given_settings(options.settings)
    experiments = [replace(one, given=given) for one in _experiments(options.names)]
    _check_names(experiments)
    seeds = range(options.seed, options.seed + options.seeds)
    out = Path(options.out)
    check_folder(out)
    document_of(experiments, [])  # a study that cannot be described is refused before anything is simulated
    stands_on = inputs_of_all(experiments)
    if stands_on and not options.quiet:
        print(inputs_text(stands_on), flush=True)
    with ProgressLine("reproducing", "runs", options.quiet) as progress:
        bank = Bank(jobs_at_once(options.jobs), progress)
        bank.results([one for experiment in experiments for one in all_requests(experiment, list(seeds))])
        parts = [experiment_part(one, bank, list(seeds), vary=not options.no_vary) for one in experiments]
    bank.say_notes()
    document = document_of(experiments, parts)
    write_whole(out / "reproduce.json", json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    if not options.quiet:
        for part in document["experiments"]:
            print(experiment_text(part))
        print(f"{parameters_text(document, stands_on)}\nResults: {out}/reproduce.json\nReport:  {typed()} report {out}")
    return _OUTSIDE_TOLERANCE if any(part["verdict"] == "fail" for part in document["experiments"]) else 0
