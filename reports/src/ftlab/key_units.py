"""Keys by their other names, and values that are written with a unit: "16KiB", "15 %". The program lists all of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from ftlab.values import ValueRefusedError

_WRITTEN = re.compile(r"\s*(?P<number>[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)\s*(?P<unit>\S.*?)\s*")
_LARGEST_EXPONENT = 400  # beyond it a double is infinite, or none


class KeyUnits:
    """Which units each key takes, the names of keys without their units, and those that keys had."""

    COLUMNS = ("key", "type", "units", "also", "formerly")

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """`rows`: what `ftlab keys --json` lists."""
        self._factors: dict[str, dict[str, Fraction]] = {}
        self._names: dict[str, str] = {}
        self._former: dict[str, str] = {}
        self._whole: set[str] = set()
        for row in rows:
            key = str(row["key"])
            units = [pair.rpartition(" ") for pair in str(row["units"]).split(", ") if pair]
            self._factors[key] = {name: Fraction(factor) for name, _, factor in units}
            if row["also"]:
                self._names[str(row["also"])] = key
            self._former |= dict.fromkeys(filter(None, str(row["formerly"]).split(", ")), key)
            if row["type"] == "integer":
                self._whole.add(key)

    def full_names(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The same by the keys' full names of now: "workload.total" is workload.total_mib. Raises ValueRefusedError for
        a key that is there by both names, or for a number without unit by the short one."""
        found: dict[str, Any] = {}
        for name, value in values.items():
            key = self._former.get(name) or self._names.get(name, name)
            if key in found:
                raise ValueRefusedError(f"{key} is there twice")
            if name in self._names and not _all_text(value):
                raise ValueRefusedError(f"{name}: wants numbers with unit, in quotes; plain ones are {key}")
            found[key] = value
        return found

    def names_now(self, names: Iterable[str]) -> dict[str, str]:
        """Of those that keys had: what they are called now."""
        return {name: self._former[name] for name in names if name in self._former}

    def plain(self, key: str, value: Any) -> Any:
        """Texts with a unit as numbers in the key's own, in lists and ranges, too; all else as it is: the program says
        what is wrong with it."""
        if isinstance(value, list):
            return [self.plain(key, entry) for entry in value]
        if isinstance(value, dict):
            return {name: self.plain(key, entry) for name, entry in value.items()}
        written = _WRITTEN.fullmatch(value) if isinstance(value, str) else None
        factor = self._factors.get(key, {}).get(written["unit"]) if written else None
        if written is None or factor is None:
            return value
        if abs(int((re.findall(r"[eE]([+-]?\d+)$", written["number"]) or ["0"])[0])) > _LARGEST_EXPONENT:
            return value
        try:
            if key in self._whole:  # as the program counts: of the nearest double
                whole = Fraction(float(written["number"])) * factor
                return int(whole) if whole.denominator == 1 else value
            exact = Fraction(written["number"]) * factor
            return int(exact) if exact.denominator == 1 else float(exact)
        except OverflowError:
            return value


def _all_text(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(value[end], str) for end in ("from", "to", "step") if end in value)
    return all(isinstance(entry, str) for entry in value) if isinstance(value, list) else isinstance(value, str)
