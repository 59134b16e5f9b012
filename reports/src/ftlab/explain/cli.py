"""`ftlab explain`."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from typing import Any

from ftlab.arguments import Parser, given_path
from ftlab.errors import InputError
from ftlab.explain.parts import sentences
from ftlab.explain.repeat import Record, add_settings, repeated
from ftlab.explain.waits import Group, Slow, groups_of, present, requests_of, slowest_of
from ftlab.report import units
from ftlab.text_table import Column, table_text, terminal_width

_DESCRIPTION = "What the slowest requests of a run waited for: simulates it again, with every request on record."
_EXAMPLES = """examples:
  ftlab explain out/study                  writes and reads: all, the slowest 10, 1 and 0.1 %, the slowest ten
  ftlab explain out/study --kind read      reads alone
  ftlab explain out/study --json           the same for programs

exit status: 0 done, 2 wrong input"""
_KINDS = ("write", "read", "trim", "flush")


def _parser() -> Parser:
    parser = Parser("ftlab explain", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("place", metavar="DIR", type=given_path, help="folder of a result, or a result.json")
    parser.add_argument("--kind", metavar="KIND", help=f"requests of one kind: {', '.join(_KINDS)} (default: each)")
    parser.add_argument("--slowest", metavar="N", type=int, default=10, help="requests listed one by one (default: 10)")
    add_settings(parser)
    parser.add_argument("--json", action="store_true", help="as JSON")
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    if options.kind is not None and options.kind not in _KINDS:
        raise InputError(f"--kind {options.kind}: is none of {', '.join(_KINDS)}")
    if options.slowest < 0:
        raise InputError(f"--slowest {options.slowest}: must be a whole number from 0 on")
    with repeated(options.place, ("requests", "ops"), settings=options.settings) as record:
        there = [kind for kind in _KINDS if (record.requests["kind"] == kind).any()]
        if options.kind is not None and options.kind not in there:
            raise InputError(f"--kind {options.kind}: the run has none; it has {', '.join(there)}")
        explained = {
            kind: _explained(record, kind, options.slowest)
            for kind in (there if options.kind is None else [options.kind])
        }
    if options.json:
        print(json.dumps({kind: _json(*parts) for kind, parts in explained.items()}, indent=2))
    else:
        print("\n".join(_text(kind, *parts) for kind, parts in explained.items()), end="")
    return 0


def _explained(record: Record, kind: str, slowest: int) -> tuple[list[str], list[Group], list[Slow]]:
    frame = requests_of(record, kind)
    return sentences(record, kind, frame), groups_of(record, frame), slowest_of(record, frame, slowest)


def _json(said: list[str], groups: list[Group], slow: list[Slow]) -> dict[str, Any]:
    return {
        "sentences": said,
        "groups": [dataclasses.asdict(group) for group in groups],
        "slowest": [dataclasses.asdict(one) for one in slow],
    }


def _text(kind: str, said: list[str], groups: list[Group], slow: list[Slow]) -> str:
    title = f"{units.count(groups[0].count)} {kind} requests"
    text = "".join(f"{sentence}\n" for sentence in said) + ("\n" if said else "")
    if groups[0].parts:
        text += f"{title}: mean latency, and what it was spent on\n\n"
        text += _groups(groups, lambda group: group.parts)
        text += "\n... and what an average die worked for meanwhile\n\n"
        text += _groups(groups, lambda group: group.dies)
    elif groups[0].dies:
        text += f"{title}: mean latency, and what an average die worked for meanwhile\n\n"
        text += _groups(groups, lambda group: {"queue": group.queue_s, **group.dies})
    else:
        text += f"{title}: mean latency, and what the firmware worked for meanwhile\n\n"
        text += _groups(groups, lambda group: {"queue": group.queue_s, **group.causes})
    if groups[0].dies:
        text += "\n... and what was at work, summed over all dies\n\n"
        text += _groups(groups, lambda group: group.resources, of_latency=False)
    else:
        text += "\n... and what was at work, in part at the same time (else: until the next tick or interrupt)\n\n"
        text += _groups(groups, lambda group: {"queue": group.queue_s, **group.resources})
    return text + (f"\nThe slowest, one by one\n\n{_slowest(slow)}" if slow else "")


def _groups(groups: list[Group], parts: Callable[[Group], dict[str, float]], of_latency: bool = True) -> str:
    names = present([parts(group) for group in groups])
    columns = [Column("requests"), *(Column(title, right=True) for title in ("from", "mean", *names))]
    rows = []
    for group in groups:
        times = [parts(group)[name] for name in names]
        shares = [_share(time, group.latency_s) if of_latency else units.seconds(time) for time in times]
        rows.append([group.title, units.seconds(group.least_s), units.seconds(group.latency_s), *shares])
    return table_text(columns, rows)


def _share(seconds: float, of_s: float) -> str:
    if seconds == 0 or of_s == 0:
        return ""
    return f"{units.seconds(seconds)} {units.percent(seconds / of_s, 0)}"


def _slowest(slow: list[Slow]) -> str:
    columns = [Column(title, right=True) for title in ("at", "offset", "size", "latency", "queue")]
    rows = []
    for one in slow:
        operations = "; ".join(
            f"{cause}: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"
            for cause, kinds in one.operations.items()
        )
        worked = one.dies or one.causes
        longest = sorted(((seconds, cause) for cause, seconds in worked.items() if seconds > 0), reverse=True)
        causes = ", ".join(f"{cause} {units.seconds(seconds)}" for seconds, cause in longest)
        rows.append(
            [
                f"{one.arrival_s:.6f} s",
                f"{units.count(one.offset)} B",
                units.bytes_text(one.bytes),
                units.seconds(one.latency_s),
                units.seconds(one.queue_s) if one.queue_s else "",
                causes,
                operations,
            ]
        )
    return table_text([*columns, Column("worked for"), Column("operations")], rows, terminal_width())
