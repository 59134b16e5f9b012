"""What runs differ in: the keys of their configurations, and whether they did the same work.

Knows configurations as dotted keys with texts; nothing of figures or pages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# `documents` repeats as numbers what other keys name.
_DOCUMENTS = "documents."
NONE = "–"


def flatten(config: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    """Dotted keys, as they are written on a command line."""
    flat: dict[str, str] = {}
    for key, value in config.items():
        if isinstance(value, dict):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value if isinstance(value, str) else json.dumps(_whole(value), ensure_ascii=False)
    return flat


def _whole(value: object) -> object:
    """Integers that a result's file has as 192.0, as they are written in a study."""
    if isinstance(value, list):
        return [_whole(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


@dataclass(frozen=True)
class Difference:
    """A key and its value in each run, in their order; `NONE` where a run lacks the key."""

    key: str
    values: tuple[str, ...]


def differences(configs: Sequence[Mapping[str, object]]) -> tuple[list[Difference], int]:
    """The keys whose values are not the same in all runs, and how many are."""
    flats = [flatten(config) for config in configs]
    keys = [key for key in dict.fromkeys(key for flat in flats for key in flat) if not key.startswith(_DOCUMENTS)]
    found = [Difference(key, tuple(flat.get(key, NONE) for flat in flats)) for key in keys]
    unlike = [difference for difference in found if len(set(difference.values)) > 1]
    return unlike, len(found) - len(unlike)


def workload_of(config: Mapping[str, object]) -> dict[str, str]:
    """What was asked of the device: the workload's keys, and those of a scenario that were overridden."""
    flat = flatten(config)
    asked = {key: value for key, value in flat.items() if key.startswith(("workload.", "scenario_overrides."))}
    # The digest says which trace it was, wherever it lay.
    if asked.get("workload.sha256"):
        asked.pop("workload.path", None)
    return asked


def alike(configs: Sequence[Mapping[str, object]]) -> bool:
    """All runs did the same work."""
    asked = [workload_of(config) for config in configs]
    return all(one == asked[0] for one in asked)
