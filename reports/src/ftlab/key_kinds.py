"""Which values a key of a study never takes, whatever the other keys are. The program lists keys, types and ranges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ftlab.errors import echo
from ftlab.nearest import meant


class KeyKinds:
    COLUMNS = ("key", "type", "range", "unit", "former_values")

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """`rows`: what `ftlab keys --json` lists."""
        self._rows = {str(row["key"]): row for row in rows}

    def problem(self, key: str, value: Any) -> str:
        """Empty for a value that the key may take. Ranges of numbers are left to the program."""
        row = self._rows.get(key)
        if row is None:
            return ""
        kind = row["type"]
        words = [word.strip() for word in str(row["range"]).split("|")]
        if kind == "true/false" and not isinstance(value, bool):
            return f"must be true or false, not {echo(value)}"
        if kind in ("integer", "number") and not (_is_number(value, kind) or value in words[1:]):
            units = f"; its unit is {row['unit']}" if row["unit"] and isinstance(value, str) else ""
            return f"must be {'a whole number' if kind == 'integer' else 'a number'}, not {echo(value)}{units}"
        former = str(row["former_values"]).split(", ")  # a run says what they are called now
        if kind == "name" and len(words) > 1 and value not in words + former:
            return f"{echo(value)} is not one of {row['range']}{meant(str(value), words)}"
        return ""


def _is_number(value: Any, kind: str) -> bool:
    return not isinstance(value, bool) and isinstance(value, int if kind == "integer" else int | float)
