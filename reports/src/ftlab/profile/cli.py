"""`ftlab profile`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ftlab.arguments import Parser, given_path
from ftlab.errors import InputError
from ftlab.json_node import read_json
from ftlab.nearest import meant
from ftlab.profile.calls import Function, by_cause, functions_of
from ftlab.profile.folded import Profile, read_profile
from ftlab.profile.of_result import profile_of
from ftlab.report import names, units
from ftlab.text_table import Column, table_text

_DESCRIPTION = "Where the cycles of a simulated core went: by cause, by function, with callers and callees."
_EXAMPLES = """examples:
  ftlab run study.toml --on arm --profile cycles.folded
  ftlab profile cycles.folded                       cycles by cause, the functions that cost most by themselves
  ftlab profile out/study                           the same of the profile that a result names
  ftlab profile out/study --function pick_victim    who calls it, and what it calls
  ftlab profile out/study --json                    every function, for programs

exit status: 0 done, 2 wrong input"""
_OWN = "(itself)"


def _parser() -> Parser:
    parser = Parser("ftlab profile", _DESCRIPTION, _EXAMPLES)
    parser.add_argument(
        "place", metavar="FILE", type=given_path, help="a profile, or the folder of a result that names one"
    )
    parser.add_argument("--function", metavar="NAME", help="callers and callees of functions whose names hold this")
    parser.add_argument("--top", metavar="N", type=int, default=20, help="functions listed (default: 20)")
    parser.add_argument("--json", action="store_true", help="every function, as JSON")
    return parser


def _read(place: Path) -> Profile:
    result = place / "result.json" if place.is_dir() else place
    if result.name != "result.json":
        return read_profile(place)
    profile, lack = profile_of(read_json(result))
    if profile is None:
        raise InputError(f"{result}: {lack or 'names no profile'}; run the study with --profile FILE")
    return profile


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    if options.top < 1:
        raise InputError(f"--top {options.top}: must be a whole number from 1 on")
    profile = _read(options.place)
    functions = functions_of(profile)
    if options.function is not None:
        functions = _named(functions, options.function)
    if options.json:
        print(json.dumps(_json(profile, functions), indent=2))
    elif options.function is not None:
        print("\n".join(_around(function) for function in functions[: options.top]), end="")
    else:
        print(f"{_causes(profile)}\n{_functions(functions[: options.top], _awake(profile))}", end="")
    return 0


def _named(functions: list[Function], word: str) -> list[Function]:
    """One of just that name, else all whose names hold the word."""
    found = [one for one in functions if one.name == word] or [one for one in functions if word in one.name]
    if not found:
        known = [one.name for one in functions]
        raise InputError(
            f"--function {word}: no function of the profile{meant(word, known, 'see the list without it')}"
        )
    return found


def _awake(profile: Profile) -> int:
    return sum(stack.cycles for stack in profile.awake)


def _share(cycles: int, of: int) -> str:
    return units.percent(cycles / of) if cycles and of else ""


def _causes(profile: Profile) -> str:
    """Cycles in each state by what the firmware worked for."""
    causes = by_cause(profile)
    columns = [
        Column("cycles for"),
        *(Column(title, right=True) for title in ("executing", "waiting", "asleep", "sum", "share")),
    ]
    total = profile.cycles()
    rows = []
    for cause in names.ordered(set(causes), names.CAUSES):
        one = causes[cause]
        cells = [units.count(cycles) for cycles in (one.executing, one.waiting, one.asleep, one.total)]
        rows.append([names.title_of(cause, names.CAUSES), *cells, _share(one.total, total)])
    return table_text(columns, rows)


def _functions(functions: list[Function], awake: int) -> str:
    titles = ("by itself", "waiting", "share", "with callees", "share")
    columns = [*(Column(title, right=True) for title in titles), Column("function")]
    rows = [
        [
            units.count(one.own), units.count(one.waiting) if one.waiting else "", _share(one.own, awake),
            units.count(one.total), _share(one.total, awake), one.name,
        ]
        for one in functions
    ]  # fmt: skip
    return f"Awake cycles by function; waiting is for part, bridge or registers\n\n{table_text(columns, rows)}"


def _around(function: Function) -> str:
    columns = [Column("cycles", right=True), Column("share", right=True), Column("")]
    callees = Counter({_OWN: function.own}) + function.callees
    text = f"{function.name}: {units.count(function.total)} awake cycles\n"
    for title, sides in (("called by", function.callers), ("spends them in", callees)):
        columns[-1] = Column(title)
        ordered = sorted(sides.items(), key=lambda side: (-side[1], side[0]))
        rows = [[units.count(cycles), _share(cycles, function.total), name] for name, cycles in ordered]
        text += f"\n{table_text(columns, rows)}"
    return text


def _json(profile: Profile, functions: list[Function]) -> dict[str, Any]:
    return {
        "cycles": profile.cycles(),
        "by_cause": {
            cause: {"executing": one.executing, "waiting": one.waiting, "asleep": one.asleep}
            for cause, one in by_cause(profile).items()
        },
        "functions": [
            {
                "name": one.name,
                "executing": one.executing,
                "waiting": one.waiting,
                "total": one.total,
                "callers": dict(one.callers),
                "callees": dict(one.callees),
            }
            for one in functions
        ],
    }
