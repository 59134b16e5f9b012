"""Values of a TOML file by their kinds. Every complaint names file, line and key; knows nothing of experiments."""

from __future__ import annotations

from typing import Any

from ftlab.errors import has_control
from ftlab.nearest import listed, meant
from ftlab.toml_source import SourceFile

HINT = "docs/experiments.md has the keys of an experiment"
_MAX_DECIMALS = 6
_CONTROL = "holds control characters; leave them out"


class Fields:
    def __init__(self, source: SourceFile) -> None:
        self._at = source

    def _tables(self, tree: dict[str, Any], key: str) -> list[dict[str, Any]]:
        found = tree.get(key, [])
        if not isinstance(found, list) or not all(isinstance(table, dict) for table in found):
            raise self._at.refuse(key, f"must be tables, written as [[{key}]]")
        return found

    def _table(self, tree: dict[str, Any], key: str) -> dict[str, Any]:
        found = tree.get(key, {})
        if not isinstance(found, dict):
            raise self._at.refuse(key, f"must be a table, written as [{key}]")
        return found

    def _only(self, key: str, table: Any, allowed: tuple[str, ...], nth: int = 0) -> None:
        if not isinstance(table, dict):
            raise self._at.refuse(key, "must be a table", nth)
        for name in table:
            if name not in allowed:
                problem = f"is no key here{meant(name, allowed, listed(allowed))}"
                raise self._at.refuse(f"{key}.{name}", problem, nth)

    def _text(self, table: dict[str, Any], name: str, default: str | None = None, key: str = "") -> str:
        value = table.get(name, default)
        if value is None:
            raise self._at.refuse(f"{key}.{name}" if key else name, f"lacks {name}; {HINT}")
        if not isinstance(value, str):
            raise self._at.refuse(f"{key}.{name}" if key else name, "must be a text")
        if has_control(value):
            raise self._at.refuse(f"{key}.{name}" if key else name, _CONTROL)
        return value

    def _texts(self, table: dict[str, Any], name: str, key: str = "") -> tuple[str, ...]:
        value = table.get(name, [])
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise self._at.refuse(f"{key}.{name}" if key else name, "must be a list of texts")
        if any(has_control(text) for text in value):
            raise self._at.refuse(f"{key}.{name}" if key else name, _CONTROL)
        return tuple(value)

    def _choice(self, table: dict[str, Any], name: str, allowed: tuple[str, ...], default: str, key: str = "") -> str:
        value = self._text(table, name, default, key)
        if value not in allowed:
            problem = f"{value} is none of {', '.join(allowed)}{meant(value, allowed)}"
            raise self._at.refuse(f"{key}.{name}" if key else name, problem)
        return value

    def _flag(self, table: dict[str, Any], name: str, default: bool, key: str = "") -> bool:
        value = table.get(name, default)
        if not isinstance(value, bool):
            raise self._at.refuse(f"{key}.{name}" if key else name, "must be true or false")
        return value

    def _decimals(self, table: dict[str, Any], default: int, key: str, nth: int = 0) -> int:
        value = table.get("decimals", default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= _MAX_DECIMALS:
            raise self._at.refuse(f"{key}.decimals", f"must be a whole number from 0 to {_MAX_DECIMALS}", nth)
        return value

    def _named_tables(self, tree: dict[str, Any], key: str) -> dict[str, dict[str, Any]]:
        """[KEY.NAME] for each name."""
        found = self._table(tree, key)
        for name, table in found.items():
            if not isinstance(table, dict):
                raise self._at.refuse(f"{key}.{name}", f"must be a table, written as [{key}.{name}]")
        return found
