"""Tables on the console, as the program prints them: two blanks between columns, numbers to the right."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_GAP = "  "


@dataclass(frozen=True)
class Column:
    title: str
    right: bool = False


def colours_wanted() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def coloured(text: str, code: int) -> str:
    return f"\033[{code}m{text}\033[0m" if colours_wanted() else text


def _width(text: str) -> int:
    """Characters shown; colours are none."""
    shown, hidden = 0, False
    for letter in text:
        hidden = hidden or letter == "\033"
        shown += not hidden and not unicodedata.combining(letter)
        hidden = hidden and letter != "m"
    return shown


def table_text(columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> str:
    """Cells that a row lacks at its end are empty."""
    cells = [[*row, *[""] * (len(columns) - len(row))] for row in rows]
    titles = [column.title for column in columns]
    widths = [max(_width(row[place]) for row in [titles, *cells]) for place in range(len(columns))]
    rule = "-" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    lines = [coloured(_line(titles, columns, widths), 1), rule, *(_line(row, columns, widths) for row in cells)]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    padded = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        blanks = " " * (width - _width(cell))
        padded.append(blanks + cell if column.right else cell + blanks)
    return _GAP.join(padded).rstrip()
