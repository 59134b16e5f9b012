"""What a counted unit of firmware work costs on a simulated core, beside the costs of host profiles.

Each cycle that the core executes goes to one group of functions: the innermost of its path that belongs to one, else
what the firmware worked for. Where a group does one kind of counted work its cycles divide by the count; where it does
several, least squares over runs with other mixes of them tell the costs apart. Waits and sleep are nobody's work.
"""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ftlab.profile.folded import EXECUTING, parse_profile
from ftlab.program import answer

Run = dict[str, Any]
WORD_BYTES = 2  # of the part's bus


@dataclass(frozen=True)
class Group:
    """Functions, and the kinds of work that they do. Without functions: what is left of a cause."""

    name: str
    kinds: tuple[str, ...]
    functions: str = ""
    callers: str = ""  # of these alone; empty: of all
    cause: str = ""


# The first that matches a function has it; what is left of other causes stays without a cost.
GROUPS = (
    Group("transfer", ("word",), r"::PointerPort::copy_(to|from)$"),
    Group("wait", ("wait_program", "wait_erase", "wait_read"), r"::PointerPort::wait"),
    Group("buffer", ("buffer_program",), r"::(PairProgram|OneNandPageBuffer)::"),
    Group(
        "driver",
        ("driver_call",),
        r"::(Series2PlusDriver|Pair(Commands|Erase)|OneNand(Driver|Sequences|Dies|Bus))::",
    ),
    Group("selection", ("segment_compare", "segment_score"), r"::LogPolicies::pick_victim$"),
    Group("plan", ("page_rate",), r"::LogPolicies::plan$"),
    # The tags beside pages have checksums, too, which are no page's.
    Group("checksum", ("checksum_byte",), r"^ftlab::crc32c$", r"::PagedFlash::((en|de)code_beside|data_check)$"),
    Group("requests", ("request", "page_write", "page_read"), cause="host"),
    Group("cleaning", ("page_copy", "segment_clean"), cause="clean"),
    Group("mounts", ("header_scan",), cause="mount"),
)
_PATTERNS = tuple(
    (group.name, re.compile(group.functions), re.compile(group.callers)) for group in GROUPS if group.functions
)
_CAUSES = {group.cause: group.name for group in GROUPS if group.cause}
OTHER = "other"
_WAITS = {"wait_program": "programs", "wait_erase": "erases", "wait_read": "reads"}
# What a host profile charges for a wait, whatever it is for.
_HOST_KEYS = dict.fromkeys(_WAITS, "interrupt_latency")


@functools.cache
def _group_of(function: str, caller: str) -> str | None:
    found = (name for name, pattern, callers in _PATTERNS if pattern.search(function) and callers.search(caller))
    return next(found, None)


@functools.cache
def executed_by_group(profile: str) -> Counter[str]:
    """Of folded stacks."""
    found: Counter[str] = Counter()
    for stack in parse_profile(profile.splitlines(), "profile").stacks:
        if stack.state == EXECUTING:
            path = stack.functions
            calls = zip(reversed(path), reversed(("", *path[:-1])), strict=True)
            inner = (name for name in (_group_of(*call) for call in calls) if name is not None)
            found[next(inner, _CAUSES.get(stack.cause, OTHER))] += stack.cycles
    return found


def count_of(kind: str, native: Run) -> float:
    """How often a run did it; words and waits are counted by the part's operations."""
    flash = native["flash"]
    if kind == "word":
        return float(flash["bytes_programmed"] + flash["bytes_read"]) / WORD_BYTES
    if kind in _WAITS:
        return float(flash[_WAITS[kind]])
    return float(native["firmware"]["work"][kind]["count"])


def _group(kind: str) -> Group:
    for group in GROUPS:
        if kind in group.kinds:
            return group
    raise ValueError(f"{kind} is none of {', '.join(kind for group in GROUPS for kind in group.kinds)}")


def least_squares(rows: Sequence[Sequence[float]], values: Sequence[float]) -> list[float]:
    """The solution of the normal equations. Raises ValueError where the rows do not tell the unknowns apart."""
    size = len(rows[0])
    matrix = [
        [sum(row[i] * row[j] for row in rows) for j in range(size)]
        + [sum(row[i] * value for row, value in zip(rows, values, strict=True))]
        for i in range(size)
    ]
    for pivot in range(size):
        best = max(range(pivot, size), key=lambda at: abs(matrix[at][pivot]))
        largest = max(abs(matrix[at][pivot]) for at in range(size))
        matrix[pivot], matrix[best] = matrix[best], matrix[pivot]
        if abs(matrix[pivot][pivot]) <= 1e-9 * largest or largest == 0:
            raise ValueError("the runs do not tell the kinds of work apart; vary their shares")
        for at in range(size):
            if at != pivot:
                factor = matrix[at][pivot] / matrix[pivot][pivot]
                matrix[at] = [one - factor * other for one, other in zip(matrix[at], matrix[pivot], strict=True)]
    return [matrix[at][size] / matrix[at][at] for at in range(size)]


def _costs(group: Group, cores: Sequence[Run], natives: Sequence[Run]) -> tuple[dict[str, float], float]:
    """Cycles of each kind that the runs did, and by how much these miss the runs' cycles, as a share of these."""
    kinds = [kind for kind in group.kinds if any(count_of(kind, native) for native in natives)]
    if not kinds:
        return {}, 0.0
    counts = [[count_of(kind, native) for kind in kinds] for native in natives]
    cycles = [float(executed_by_group(core["profile"])[group.name]) for core in cores]
    if not any(cycles):
        raise ValueError(f"no cycle was spent in functions of the group {group.name}; are they named otherwise now?")
    costs = least_squares(counts, cycles)
    foretold = [sum(cost * count for cost, count in zip(costs, row, strict=True)) for row in counts]
    missed = sum(abs(ours - theirs) for ours, theirs in zip(cycles, foretold, strict=True))
    return dict(zip(kinds, costs, strict=True)), missed / sum(cycles)


def core_cost(cores: Sequence[Run], natives: Sequence[Run], kind: str) -> float:
    """Executed cycles for each counted unit, from runs on a core with their profiles and the same runs natively."""
    costs, _ = _costs(_group(kind), cores, natives)
    if kind not in costs:
        raise ValueError(f"no run counts a {kind}")
    return costs[kind]


def core_cost_misses(cores: Sequence[Run], natives: Sequence[Run], kind: str) -> float:
    """By how much the costs of its group of functions miss the group's cycles, summed over the runs: a share."""
    return _costs(_group(kind), cores, natives)[1]


def executed_share(core: Run, name: str) -> float:
    """Of a group of functions, in all cycles that the core executes."""
    groups = executed_by_group(core["profile"])
    if name not in {OTHER, *(group.name for group in GROUPS)}:
        raise ValueError(f"{name} is no group of functions")
    return groups[name] / sum(groups.values())


@functools.cache
def _host_numbers(host: str) -> dict[str, float]:
    return {str(row["key"]): float(row["value"]) for row in json.loads(answer("hosts", host, "--json"))}


def host_cost_us(host: str, kind: str) -> float:
    """Of a host profile."""
    return _host_numbers(host)[_HOST_KEYS.get(kind, f"work.{kind}")]
