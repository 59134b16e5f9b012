"""What the figures share: chart to spec, colour scales, a legend that picks out a series."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from typing import Any

import altair as alt
from altair.utils import schemapi

from ftlab.report.contents import Report
from ftlab.report.figures.labels import legend_columns
from ftlab.report.names import RUN_COLOURS
from ftlab.report.theme import PAGE_WIDTH

Record = dict[str, object]
AnyChart = alt.Chart | alt.LayerChart | alt.VConcatChart | alt.HConcatChart | alt.FacetChart


def data(records: list[Record]) -> alt.Data:
    checked: alt.Data = alt.Data(values=records)  # type: ignore[no-untyped-call]  # the library left it untyped
    return checked


def unchecked() -> AbstractContextManager[None]:
    """Charts made meanwhile are not held against the schema, which takes longer than making them."""
    return schemapi.debug_mode(False)


def to_spec(chart: AnyChart) -> dict[str, Any]:
    """The chart as Vega-Lite, checked unless unchecked(), without the library's own look (theme.py has ours)."""
    spec: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    spec.pop("config", None)
    _fit_legends(spec)
    return spec


def _fit_legends(node: dict[str, Any]) -> None:
    """A legend has as many columns as have room on the page."""
    colour = node.get("encoding", {}).get("color", {})
    labels = colour.get("scale", {}).get("domain", [])
    if colour.get("type") == "nominal" and colour.get("legend", {}) is not None and labels:
        columns = legend_columns([str(label) for label in labels], PAGE_WIDTH)
        colour["legend"] = colour.get("legend", {}) | {"columns": columns}
    for key in ("layer", "hconcat", "vconcat"):
        for child in node.get(key, []):
            _fit_legends(child)


def run_scale(report: Report) -> alt.Scale:
    """Every run has one colour in every figure."""
    labels = report.labels
    return alt.Scale(domain=labels, range=[run_colour(index) for index in range(len(labels))])


def run_colour(index: int) -> str:
    return RUN_COLOURS[index % len(RUN_COLOURS)]


def focus(name: str, field: str) -> alt.Parameter:
    """Clicking a legend entry fades the others. A hyphen in the name would be a minus to the page."""
    return alt.selection_point(name=name.replace("-", "_"), fields=[field], bind="legend")


def focus_opacity(parameter: alt.Parameter, full: float = 1.0, faded: float = 0.12) -> Any:
    return alt.when(parameter).then(alt.value(full)).otherwise(alt.value(faded))


def hover_points(records: list[Record]) -> alt.Chart:
    """Points that cannot be seen, only pointed at: they carry a line's tooltips."""
    points: alt.Chart = alt.Chart(data(records)).mark_circle(opacity=0, size=110)
    return points


def whole_ticks(most: int, count: int = 7) -> list[int]:
    """From 0 on, 1, 2 or 5 of a power of ten apart: of things of which there are no parts."""
    steps = (step * 10**power for power in range(len(str(most)) + 1) for step in (1, 2, 5))
    return list(range(0, most + 1, next(step for step in steps if most < count * step)))


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 of each decade; more of them within a decade, the decades alone where there are many."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 3, 5, 7) if high < 10 * low else (1, 2, 5) if last - first <= 4 else (1,)
    ticks = [float(f"{step}e{power}") for power in range(first, last + 1) for step in steps]
    return [tick for tick in ticks if low <= tick <= high * 1.15]
