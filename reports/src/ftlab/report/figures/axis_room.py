"""What an axis must span, so that what means nothing does not look like a trend: a step of the histogram that
percentiles of response times are read off, and the last digits of values that are nearly equal."""

from __future__ import annotations

import re
from collections.abc import Collection

import altair as alt

PERCENTILE = 0.05  # of the value, on both sides: a percentile is known within 1 % (docs/results.md)
NARROW = 0.01  # share of the largest value: a smaller spread does not fill the axis
_PATH = re.compile(r"\.p[0-9]+_s$")


def margin_of(path: str, values: Collection[float]) -> float | None:
    """The share of its values by which an axis must reach beyond them; None: it may end where they end."""
    largest = max(abs(value) for value in values)
    if largest > 0 and _PATH.search(path) is not None:
        return PERCENTILE
    return NARROW if max(values) - min(values) < NARROW * largest else None


def around(values: Collection[float], margin: float) -> list[float]:
    low, high = min(values), max(values)
    return [low - margin * abs(low), high + margin * abs(high)]


def room(base: alt.Chart, across: alt.X, title: str, margin: float) -> alt.Chart:
    """Of a chart with values in `y`, a layer that is not seen, for which the axis reaches as far as it must."""
    layer: alt.Chart = (
        base.transform_calculate(least=f"datum.y - {margin} * abs(datum.y)", most=f"datum.y + {margin} * abs(datum.y)")
        .mark_rule(opacity=0)
        .encode(x=across, y=alt.Y("least:Q", title=title, scale=alt.Scale(zero=False)), y2="most:Q")
    )
    return layer
