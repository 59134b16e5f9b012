"""Percentiles of response times are read off a histogram: what an axis of them must span, so that one step of the
histogram does not look like a trend."""

from __future__ import annotations

import re

import altair as alt

RESOLUTION = 0.01  # of the value: the histogram behind it (docs/results.md)
LEAST_STEPS = 5  # of the histogram, that an axis shows on both sides of its values
_PATH = re.compile(r"\.p[0-9]+_s$")


def is_percentile(path: str) -> bool:
    return _PATH.search(path) is not None


def around(low: float, high: float) -> tuple[float, float]:
    """What an axis spans that has values from `low` to `high`."""
    margin = LEAST_STEPS * RESOLUTION
    return low * (1 - margin), high * (1 + margin)


def room(base: alt.Chart, across: alt.X, title: str) -> alt.Chart:
    """Of a chart with values in `y`, a layer that is not seen, for which the axis reaches as far as it must."""
    least, most = around(1, 1)
    layer: alt.Chart = (
        base.transform_calculate(least=f"{least} * datum.y", most=f"{most} * datum.y")
        .mark_rule(opacity=0)
        .encode(x=across, y=alt.Y("least:Q", title=title, scale=alt.Scale(zero=False)), y2="most:Q")
    )
    return layer
