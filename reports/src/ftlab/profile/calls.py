"""What functions cost by themselves and with what they call, who calls them, and cycles by cause. Knows no page."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ftlab.profile.folded import ASLEEP, BUS, EXECUTING, Profile


@dataclass
class Function:
    """Cycles in which the core was awake. A function that calls itself counts once for each cycle."""

    name: str
    executing: int = 0  # its own instructions
    waiting: int = 0  # in them for part, bridge or registers
    total: int = 0  # with what it calls
    callers: Counter[str] = field(default_factory=Counter)  # sum to total
    callees: Counter[str] = field(default_factory=Counter)  # sum to total less its own

    @property
    def own(self) -> int:
        return self.executing + self.waiting


@dataclass
class CauseCycles:
    executing: int = 0
    waiting: int = 0
    asleep: int = 0

    @property
    def total(self) -> int:
        return self.executing + self.waiting + self.asleep


def functions_of(profile: Profile) -> list[Function]:
    """Those that cost most by themselves come first."""
    found: dict[str, Function] = {}
    for stack in profile.awake:
        path = stack.functions
        for name in dict.fromkeys(path):
            function = found.setdefault(name, Function(name))
            function.total += stack.cycles
            first, last = path.index(name), len(path) - 1 - path[::-1].index(name)
            function.callers[path[first - 1] if first else f"[{stack.cause}]"] += stack.cycles
            if last + 1 < len(path):
                function.callees[path[last + 1]] += stack.cycles
            elif stack.state == BUS:
                function.waiting += stack.cycles
            else:
                function.executing += stack.cycles
    return sorted(found.values(), key=lambda function: (-function.own, function.name))


def by_cause(profile: Profile) -> dict[str, CauseCycles]:
    fields = {EXECUTING: "executing", BUS: "waiting", ASLEEP: "asleep"}
    found: dict[str, CauseCycles] = {}
    for stack in profile.stacks:
        cycles = found.setdefault(stack.cause, CauseCycles())
        name = fields[stack.state]
        setattr(cycles, name, getattr(cycles, name) + stack.cycles)
    return found
