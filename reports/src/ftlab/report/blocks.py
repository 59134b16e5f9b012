"""What a page is made of: figures and tables. Plain values; drawing and writing are elsewhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Figure:
    """A chart.

    `name` is its file name without ending and its anchor. `spec` is Vega-Lite laid out for theme.PAGE_WIDTH;
    `reserve` is the width in px that axes and gaps take, the rest of every view's width is scaled to the window.
    """

    name: str
    title: str
    caption: str
    alt: str  # what a person who cannot see the chart must know
    spec: dict[str, Any]
    reserve: int = 0
    group: str = ""  # blocks of one group stand together
    hint: str = ""  # what a reader can do on the screen, behind the caption
    on_paper: str = ""  # what stands there on paper instead


@dataclass(frozen=True)
class Pair:
    """A figure of two quantities, `x` across and `y` up."""

    x: str
    y: str
    figure: Figure


@dataclass(frozen=True)
class Choice:
    """Figures of which the page shows the one whose two quantities are picked; paper has the first."""

    name: str
    title: str
    pairs: tuple[Pair, ...]  # one for each two of the quantities
    group: str = ""

    @property
    def quantities(self) -> list[str]:
        return list(dict.fromkeys(name for pair in self.pairs for name in (pair.x, pair.y)))


@dataclass(frozen=True)
class Cell:
    """`tone` is one of "", good, bad, muted, strong."""

    text: str
    sub: str = ""
    tone: str = ""
    hint: str = ""
    swatch: str = ""  # a colour shown before the text


@dataclass(frozen=True)
class Column:
    title: str
    right: bool = False
    swatch: str = ""


@dataclass(frozen=True)
class Table:
    """The first `row_heads` cells of a row name it; a row of one cell heads the rows below it.

    `groups` (title, span) is an optional line above the columns.
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    caption: str = ""
    groups: tuple[tuple[str, int], ...] = ()
    row_heads: int = 1
    folded: bool = False
    notes: tuple[str, ...] = field(default=())
    group: str = ""


@dataclass(frozen=True)
class Prose:
    """A titled list of remarks."""

    name: str
    title: str
    items: tuple[tuple[str, str], ...]  # (title, text)
    caption: str = ""
    group: str = ""


Block = Figure | Choice | Table | Prose


def figures_in(block: Block) -> tuple[Figure, ...]:
    if isinstance(block, Choice):
        return tuple(pair.figure for pair in block.pairs)
    return (block,) if isinstance(block, Figure) else ()
