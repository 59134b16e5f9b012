"""Keys of the study that the command line gives to all runs of the experiments."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable

from ftlab.errors import InputError
from ftlab.nearest import meant
from ftlab.program import listing
from ftlab.reproduce.spec import Settings


def given_settings(texts: Iterable[str]) -> Settings:
    """Of KEY=VALUE, as `ftlab run --set` takes them. Raises InputError."""
    found: Settings = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--set {text}: lacks '='; write KEY=VALUE, such as part_overrides.segments=16002")
        known = {str(row["key"]) for row in listing("keys")}
        free = any(one.endswith(".*") and key.startswith(one[:-1]) for one in known)
        if key == "seed" or (key not in known and not free):
            hint = "; seeds are counted by --seeds" if key == "seed" else meant(key, known)
            raise InputError(f"--set: {key}: is no key of a study{hint}; `ftlab keys` lists all")
        try:
            found[key] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[key] = value  # a word without its quotes
    return found
