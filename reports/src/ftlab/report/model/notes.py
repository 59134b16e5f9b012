"""Remarks that belong on top of a page."""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.json_node import Node


@dataclass(frozen=True)
class Note:
    level: str  # "info" or "warning"
    text: str


def parse_notes(node: Node | None) -> tuple[Note, ...]:
    if node is None:
        return ()
    return tuple(Note(item.get("level").choice(("info", "warning")), item.get("text").text()) for item in node.items())
