"""What an experiment owes to values that the papers leave open: which these are, and 20 % less and more of them.

Marks come from `ftlab inputs`: `unpublished` for keys of the study and numbers of a scenario, `estimate` and `fitted`
for numbers of host, part and scenario.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ftlab.program import listing
from ftlab.reproduce.spec import Experiment, OpenValue, Settings, Variant
from ftlab.runs import setting

_FACTORS = (0.8, 1.2)
_UNITS = {"MiB": 1024.0 * 1024.0, "KiB": 1024.0}
_PAGE_BYTES = 4096.0  # of the files that scenarios write
_OPEN = ("unpublished", "estimate", "fitted")
Row = dict[str, Any]


def inputs_of(settings: Settings) -> tuple[Row, ...]:
    """Every number that a study stands on, as `ftlab inputs` lists it."""
    return listing("inputs", *(word for key in sorted(settings) for word in ("--set", setting(key, settings[key]))))


def open_values(experiment: Experiment) -> list[OpenValue]:
    """Empty where the experiment varies nothing."""
    vary = experiment.vary
    if vary is None:
        return []
    rows = inputs_of(experiment.settings(experiment.rows(vary.at)[0])) if vary.keys or vary.files else ()
    found: list[OpenValue] = []
    for table in vary.keys:
        found += [_of_key(row) for row in rows if _is_open_key(row, table)]
    for file in vary.files:
        values = _of_file(rows, *file.partition(".")[::2])
        if not values:
            raise experiment.file.refuse("vary.files", f"{file} has no number that is fitted, estimated or unpublished")
        found += values
    return [value for value in found if value.variants] + list(vary.values)


def _marks(row: Row) -> list[str]:
    return [mark.strip() for mark in str(row["mark"]).split(",") if mark]


def _is_open_key(row: Row, table: str) -> bool:
    return row["of"] == "study" and str(row["key"]).startswith(f"{table}.") and "unpublished" in _marks(row)


def _amount(number: float, unit: str) -> str:
    return f"{number:.4g}" + (f" {unit}" if unit not in ("", "1") else "")


def _of_key(row: Row) -> OpenValue:
    """Whole numbers are rounded away from the value, and what the key's range forbids is left out."""
    key, used, unit = str(row["key"]), str(row["value"]), str(row["unit"])
    if row["type"] == "true/false":
        other = used != "true"
        return OpenValue(key, used, (Variant(str(other).lower(), {key: other}),))
    choices = [choice for choice in str(row["choices"]).split(" | ") if choice]
    if choices:
        return OpenValue(key, used, tuple(Variant(choice, {key: choice}) for choice in choices if choice != used))
    number = float(used)
    variants = []
    for factor in _FACTORS:
        other_number: float = number * factor
        if row["type"] == "integer":
            other_number = math.floor(other_number) if factor < 1 else math.ceil(other_number)
        least, most = (float(row[end]) if row[end] != "" else None for end in ("least", "most"))
        outside = (least is not None and other_number < least) or (most is not None and other_number > most)
        if other_number != number and not outside:
            variants.append(Variant(_amount(other_number, unit), {key: other_number}))
    return OpenValue(key, _amount(number, unit), tuple(variants))


def _of_file(rows: tuple[Row, ...], file: str, table: str) -> list[OpenValue]:
    """Numbers of host, scenario or part; those of a scenario with one name in several tables change together."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        key = str(row["key"])
        marks = _marks(row)
        if row["of"] != file or not any(mark in _OPEN for mark in marks):
            continue
        if table and not key.startswith(f"{table}."):
            continue
        name = key.rpartition(".")[2] if "unpublished" in marks else key
        found.setdefault(f"{file} {name}", []).append(row)
    return [_together(file, name, same) for name, same in found.items()]


def _together(file: str, name: str, rows: list[Row]) -> OpenValue:
    first = rows[0]
    alone = len(rows) == 1
    used = _amount(float(first["value"]), str(first["unit"])) if alone else "as given"
    return OpenValue(name, used, tuple(_variants(file, rows)))


def _variants(file: str, rows: list[Row]) -> Iterator[Variant]:
    for factor in _FACTORS:
        settings = {}
        for row in rows:
            number, unit = _scaled(float(row["value"]), str(row["unit"]), factor), str(row["unit"])
            settings[f"{file}_overrides.{row['key']}"] = f"{number!r} {unit}"
        text = _amount(number, unit) if len(rows) == 1 else f"{100 * (factor - 1):+.0f} %"
        yield Variant(text, settings)


def _rounded(number: float) -> float:
    """To the nearest whole number, a half up."""
    return math.floor(number + 0.5)


def _scaled(value: float, unit: str, factor: float) -> float:
    """Counts and bytes stay whole, and so do pages where there are several."""
    number = value * factor
    if unit in ("1", "B"):
        return _rounded(number)
    if unit not in _UNITS:
        return number
    pages = value * _UNITS[unit] / _PAGE_BYTES
    changed = _rounded(pages * factor)
    if pages == _rounded(pages) and changed != pages:
        return changed * _PAGE_BYTES / _UNITS[unit]
    return _rounded(number * _UNITS[unit]) / _UNITS[unit]
