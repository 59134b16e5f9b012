"""What the columns of a sweep's table are, carried by the table itself (pandas' attrs)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.errors import InputError, echo

if TYPE_CHECKING:
    import pandas

_KEY = "ftlab_sweep"
_FIGURE = ".mean"
_NO_TABLE = "is no table of a sweep; give what ftlab.sweep or ftlab.load returned"


def describe(table: pandas.DataFrame, description: str) -> pandas.DataFrame:
    """The same table with the content of sweep.json (docs/sweeps.md)."""
    table.attrs[_KEY] = json.loads(description)
    return table


def describe_by_file(table: pandas.DataFrame, path: Path) -> pandas.DataFrame:
    """Without the file the table stays as it is."""
    return describe(table, path.read_text(encoding="utf-8")) if path.is_file() else table


def description_of(table: pandas.DataFrame) -> dict[str, Any]:
    """What the table carries, or what its columns say. Raises InputError for what is no table of a sweep."""
    if not hasattr(table, "attrs") or not hasattr(table, "columns"):
        raise InputError(f"{echo(table)} {_NO_TABLE}")
    if _KEY in table.attrs:
        carried: dict[str, Any] = table.attrs[_KEY]
        return carried
    columns = [str(column) for column in table.columns]
    figures = [column.removesuffix(_FIGURE) for column in columns if column.endswith(_FIGURE)]
    if not figures:
        raise InputError(f"a table with {', '.join(columns) or 'no columns'} {_NO_TABLE}")
    axes = columns[: columns.index(figures[0] + _FIGURE)]
    return {
        "schema": "ftlab-sweep",
        "version": 1,
        "name": "sweep",
        "seeds": 1,
        "axes": axes,
        "figures": [{"path": path, "unit": "", "help": path} for path in figures],
        "objectives": [],
    }
