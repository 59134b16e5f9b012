"""Tables on the console, as the program prints them: two blanks between columns, numbers to the right."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_GAP = "  "
_LEAST = 16  # characters of a column whose text breaks


@dataclass(frozen=True)
class Column:
    title: str
    right: bool = False


def terminal_width() -> int:
    """Of standard output; 0 where it is no terminal, which takes lines of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 0


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


def table_text(columns: Sequence[Column], rows: Iterable[Sequence[str]], width: int = 0) -> str:
    """Cells that a row lacks at its end are empty. In a `width` other than 0 texts behind the first column break where
    the table were wider."""
    cells = [[*row, *[""] * (len(columns) - len(row))] for row in rows]
    if width:
        room = _room(columns, cells, width)
        cells = [line for row in cells for line in _broken(row, room)]
    titles = [column.title for column in columns]
    widths = [max(_width(row[place]) for row in [titles, *cells]) for place in range(len(columns))]
    rule = "-" * (sum(widths) + len(_GAP) * (len(widths) - 1))
    lines = [coloured(_line(titles, columns, widths), 1), rule, *(_line(row, columns, widths) for row in cells)]
    return "\n".join(lines) + "\n"


def _room(columns: Sequence[Column], cells: list[list[str]], width: int) -> list[int]:
    """Of each column; 0: it keeps its width."""
    widths = [
        max(_width(row[place]) for row in [[one.title for one in columns], *cells]) for place in range(len(columns))
    ]
    texts = [place for place, column in enumerate(columns) if place > 0 and not column.right]
    if not texts or sum(widths) + len(_GAP) * (len(widths) - 1) <= width:
        return [0] * len(columns)
    left = (
        width
        - len(_GAP) * (len(widths) - 1)
        - sum(widths[place] for place in range(len(columns)) if place not in texts)
    )
    room = max(_LEAST, left // len(texts))
    return [room if place in texts else 0 for place in range(len(columns))]


def _broken(row: list[str], room: list[int]) -> list[list[str]]:
    """The lines of a row."""
    lines = [textwrap.wrap(cell, most) or [""] if most else [cell] for cell, most in zip(row, room, strict=True)]
    height = max(map(len, lines))
    return [[cell[at] if at < len(cell) else "" for cell in lines] for at in range(height)]


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    padded = []
    for cell, column, width in zip(cells, columns, widths, strict=True):
        blanks = " " * (width - _width(cell))
        padded.append(blanks + cell if column.right else cell + blanks)
    return _GAP.join(padded).rstrip()
