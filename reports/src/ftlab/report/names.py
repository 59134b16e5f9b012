"""Words and colours of causes, operations and verdicts: the same everywhere on the page.

Colours are mid-tones that stand on a white and on a dark ground.
"""

from __future__ import annotations

RUN_COLOURS = ("#3f7fd6", "#e58a1f", "#1f9d76", "#b3559e", "#7c6fe8", "#cf5548", "#3a9db3", "#93902c")

CAUSES: dict[str, tuple[str, str]] = {  # key -> (title, colour); the order is that of stacks and legends
    "host": ("host requests", "#3f7fd6"),
    "clean": ("cleaning", "#e5782f"),
    "migrate": ("migration", "#c39a1c"),
    "wear_level": ("wear leveling", "#9b6ad8"),
    "refresh": ("refresh", "#79aa3c"),
    "metadata": ("metadata", "#2f9f99"),
    "mount": ("mount", "#c9578c"),
    "idle": ("idle", "#8fa0b3"),
    "standby": ("standby", "#a3adb8"),
    "sleep": ("sleep", "#c4ccd4"),
    "ram": ("RAM", "#74b3d1"),
    "controller_idle": ("controller, idle", "#b9a7e0"),
    "controller_busy": ("controller, busy", "#8d70cb"),
    "link": ("link", "#93902c"),
}

OPERATIONS: dict[str, tuple[str, str]] = {
    "erase": ("erase", "#d24c5a"),
    "buffer_program": ("buffer program", "#e2a336"),
    "word_program": ("word program", "#b8791f"),
    "array_read": ("array read", "#3a80b0"),
    "buffer_load": ("buffer load", "#74b3d1"),
    "register_access": ("register access", "#8d70cb"),
    "load": ("load", "#5aa17c"),
    "other": ("other", "#8fa0b3"),
    "standby": ("standby", "#a3adb8"),
    "sleep": ("sleep", "#c4ccd4"),
    "ram": ("RAM", "#74b3d1"),
    "controller_idle": ("controller, idle", "#b9a7e0"),
    "controller_busy": ("controller, busy", "#8d70cb"),
    "link": ("link", "#93902c"),
}

LATENCY_PARTS: dict[str, tuple[str, str]] = {  # in the order in which a request meets them
    "queue": ("waiting in the queue", "#a3adb8"),
    "link": ("link", "#74b3d1"),
    "firmware": ("firmware", "#8d70cb"),
    "slot": ("waiting for a buffer or for room", "#c4a3d9"),
    "die": ("waiting for the die", "#d24c5a"),
    "channel": ("waiting for the channel", "#e5a08a"),
    "cells": ("cells", "#e2a336"),
    "retries": ("reading again", "#b8791f"),
    "decoding": ("failed decoding", "#93902c"),
    "transfer": ("transfer", "#5aa17c"),
    "back": ("back to the host", "#3a80b0"),
}
PERCENTILES = {"p50": "p50", "p90": "p90", "p99": "p99", "p999": "p99.9", "max": "the slowest"}

VERDICT_COLOURS = {"pass": "#1f9d76", "fail": "#d8414f", "reported": "#8492a3"}
VERDICT_SIGNS = {"pass": "✓", "fail": "✗", "reported": "○"}

_SPARE_COLOURS = ("#5d7fa3", "#a3765d", "#6fa35d", "#a35d8f")


_ABBREVIATIONS = ("slc", "mlc", "tlc")


def plain(key: str) -> str:
    """Its words: pages_to_slc is pages to SLC."""
    return " ".join(word.upper() if word in _ABBREVIATIONS else word for word in key.split("_"))


def capitalized(words: str) -> str:
    """The first letter; the others stay as they are."""
    return words[:1].upper() + words[1:]


def title_of(key: str, known: dict[str, tuple[str, str]]) -> str:
    return known[key][0] if key in known else plain(key)


def ordered(keys: set[str], known: dict[str, tuple[str, str]]) -> list[str]:
    """Known keys in their order, then the others by name."""
    return [key for key in known if key in keys] + sorted(keys - known.keys())


def colours(keys: list[str], known: dict[str, tuple[str, str]]) -> list[str]:
    spare = iter(_SPARE_COLOURS * (1 + len(keys) // len(_SPARE_COLOURS)))
    return [known[key][1] if key in known else next(spare) for key in keys]
