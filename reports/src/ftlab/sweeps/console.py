"""A sweep's table on the console: as pandas prints it where that fits, else as wide as the terminal."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

_GAP = "  "
_LONGEST_CELL = 40  # characters
_COUNTS = ("ended_early", "failed")


def console_text(table: pandas.DataFrame, width: int, most_rows: int = 20) -> str:
    """`width` 0: whatever it takes. In less than that, columns that say nothing go first, titles break, and the last
    columns go, which a line below says."""
    whole = table.to_string(index=False, max_rows=most_rows, max_colwidth=_LONGEST_CELL)
    if width == 0 or all(len(line) <= width for line in whole.splitlines()):
        return whole
    columns = [_column(table, name, most_rows) for name in table.columns if _says_something(table, name)]
    kept: list[list[str]] = []
    used = 0
    for cells in columns:
        used += max(map(len, cells)) + len(_GAP) * bool(kept)
        if kept and used > width:
            break
        kept.append(cells)
    lines = [_GAP.join(cells).rstrip() for cells in zip(*(_to_the_right(cells) for cells in _level(kept)), strict=True)]
    if len(kept) < len(columns):
        left = len(columns) - len(kept)
        lines.append(f"{left} more column{'' if left == 1 else 's'}: table.csv, or a wider terminal")
    return "\n".join(lines)


def _says_something(table: pandas.DataFrame, name: str) -> bool:
    if name.endswith(".ci95"):
        return not table[name].isna().all()
    if name in _COUNTS:
        return bool((table[name] != 0).any())
    if name in ("runs", "reason"):
        return table[name].nunique() > 1
    return True


def _column(table: pandas.DataFrame, name: str, most_rows: int) -> list[str]:
    """The title in pieces, an empty line behind them, and the cells."""
    cells = [_text(value) for value in table[name]]
    if len(cells) > most_rows:
        cells = [*cells[: most_rows // 2], "...", *cells[len(cells) - most_rows // 2 :]]
    return [*_pieces(name, max(map(len, cells), default=0)), "", *cells]


def _text(value: object) -> str:
    if isinstance(value, float) and math.isnan(value):
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[: _LONGEST_CELL - 3]}..."


def _pieces(title: str, width: int) -> list[str]:
    """Lines of the title, broken where a name has joints, no wider than the cells where that can be."""
    lines = [""]
    for part in re.findall(r"[^._]+[._]?", title):
        if lines[-1] and len(lines[-1]) + len(part) > width:
            lines.append("")
        lines[-1] += part
    return lines


def _level(columns: list[list[str]]) -> list[list[str]]:
    """Titles of all columns end in the same line."""
    heights = [cells.index("") for cells in columns]
    return [[" "] * (max(heights) - height) + cells for cells, height in zip(columns, heights, strict=True)]


def _to_the_right(cells: list[str]) -> list[str]:
    width = max(map(len, cells))
    return [cell.rjust(width) for cell in cells]
