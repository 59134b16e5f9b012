"""Names beside an axis: the width that they take, and the lines that long ones are broken into.

Knows texts and about how wide a character is; nothing of what a chart shows.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import altair as alt

CHARACTER = 7.2  # px at 12 px, of the widest of the fonts that a browser may fall back to
LINE = 14
MAX_WIDTH = 240


@dataclass(frozen=True)
class Names:
    """`names` as they stand beside an axis, none of them cut off."""

    names: tuple[str, ...]
    max_width: int = MAX_WIDTH

    def lines(self, name: str) -> list[str]:
        """Broken between words, or behind what joins the parts of one."""
        lines: list[str] = [""]
        for piece in re.findall(r"\s*[^\s/_.-]+[/_.-]*|\s*[/_.-]+", name) or [name]:
            if lines[-1] and len(lines[-1] + piece) * CHARACTER > self.max_width:
                lines.append(piece.lstrip())
            else:
                lines[-1] += piece
        return lines

    @property
    def width(self) -> int:
        """What the axis takes beside the view, px."""
        longest = max((len(line) for name in self.names for line in self.lines(name)), default=0)
        return 24 + round(longest * CHARACTER)

    @property
    def row_height(self) -> int:
        """Least height of a row, px."""
        return 8 + LINE * max((len(self.lines(name)) for name in self.names), default=1)

    def axis(self, **more: Any) -> alt.Axis:
        broken = {name: self.lines(name) for name in self.names}
        if all(len(lines) == 1 for lines in broken.values()):
            return alt.Axis(labelLimit=self.width, **more)
        expression = f"({json.dumps(broken, ensure_ascii=False)})[datum.label]"
        return alt.Axis(labelLimit=self.width, labelLineHeight=LINE, labelExpr=expression, **more)


def legend_columns(labels: list[str], width: int) -> int:
    """How many entries of a legend stand side by side within `width` px."""
    widest = max((len(label) for label in labels), default=0) * CHARACTER + 40
    return max(1, min(len(labels), int(width // widest)))
