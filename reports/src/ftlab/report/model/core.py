"""What a simulated core did, of results whose firmware ran on one."""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.json_node import Node


@dataclass(frozen=True)
class Core:
    instructions: float
    interrupts: float
    cycles: float
    bus_cycles: float
    asleep_cycles: float
    flash_misses: float
    cycles_per_request: float | None  # None without a request
    awake_cycles_by_cause: dict[str, float]
    energy_by_state_j: dict[str, float]


def parse_core(node: Node) -> Core:
    each = node.find("cycles_per_request")
    return Core(
        instructions=node.get("instructions").number(),
        interrupts=node.get("interrupts").number(),
        cycles=node.get("cycles").number(),
        bus_cycles=node.get("bus_cycles").number(),
        asleep_cycles=node.get("asleep_cycles").number(),
        flash_misses=node.get("flash_misses").number(),
        cycles_per_request=None if each is None else each.number(),
        awake_cycles_by_cause=node.get("awake_cycles_by_cause").numbers_by_name(),
        energy_by_state_j=node.get("energy_by_state_j").numbers_by_name(),
    )
