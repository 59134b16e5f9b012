"""Losses of power of a run, and the mounts after them."""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.json_node import Node


@dataclass(frozen=True)
class MountOperations:
    """What a loss broke off, and what the part did until the mount ended."""

    torn_programs: int
    torn_erases: int
    reads: int
    programs: int
    erases: int


@dataclass(frozen=True)
class DataRam:
    """Answered writes that a loss found in data RAM, and what became of them."""

    bytes: float
    saved: bool  # with what capacitors hold
    hold_up_s: float  # for which they held, 0 without them
    hold_up_j: float


@dataclass(frozen=True)
class Mount:
    """A loss of power and what came after it."""

    at_s: float
    requests: float  # answered before
    in_flight: float  # sent again
    mount_s: float
    mount_j: float
    mounted: bool  # False: lost again meanwhile, or failed
    operations: MountOperations | None  # None in results of older programs
    data_ram: DataRam | None  # None where no write is answered from there, and no capacitor holds


def losses_left(node: Node | None) -> int:
    planned, losses = (None, None) if node is None else (node.find("planned"), node.find("losses"))
    return 0 if planned is None or losses is None else max(0, planned.count() - losses.count())


_OF_MOUNTS = ("mount_reads", "mount_programs", "mount_erases")


def _data_ram(node: Node) -> list[DataRam]:
    """Of each loss; empty where the result says nothing of it."""
    held = node.find("hold_up_s") is not None
    in_ram = "saved_bytes" if held else "lost_bytes"
    keys = [key for key in (in_ram, "hold_up_s", "hold_up_j") if node.find(key) is not None]
    return [
        DataRam(of.get(in_ram, 0.0), held, of.get("hold_up_s", 0.0), of.get("hold_up_j", 0.0))
        for row in zip(*([one.number() for one in node.items_of(key)] for key in keys), strict=True)
        for of in [dict(zip(keys, row, strict=True))]
    ]


def parse_mounts(node: Node | None) -> tuple[Mount, ...]:
    if node is None or node.find("mount_j") is None:
        return ()
    lists = [node.items_of(key) for key in ("at_s", "requests", "in_flight", "mount_s", "mount_j", "mounted")]
    counts: list[list[Node]] = []
    if node.find("torn_programs") is not None:
        counts = [node.items_of(key) for key in ("torn_programs", "torn_erases", *_OF_MOUNTS)]
    data_ram = _data_ram(node)
    if len({len(one) for one in lists + counts} | ({len(data_ram)} if data_ram else set())) != 1:
        raise node.refuse("its lists have a value for each loss, and these differ in length")
    operations = [MountOperations(*(one.count() for one in row)) for row in zip(*counts, strict=True)]
    return tuple(
        Mount(
            at.number(),
            requests.number(),
            flight.number(),
            time.number(),
            energy.number(),
            mounted.count() == 1,
            operations[place] if operations else None,
            data_ram[place] if data_ram else None,
        )
        for place, (at, requests, flight, time, energy, mounted) in enumerate(zip(*lists, strict=True))
    )
