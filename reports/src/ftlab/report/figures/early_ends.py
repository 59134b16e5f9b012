"""Points of a sweep that the device's end of life cut short: how a chart tells them from the others."""

from __future__ import annotations

import altair as alt

from ftlab.report.figures.draw import Record
from ftlab.report.model.sweep import Point, SweepTable

SIGN = "†"
_FIELD = "early"


class EarlyEnds:
    """Adds nothing to charts of a sweep without such points."""

    def __init__(self, sweep: SweepTable) -> None:
        self._any = any(point.ended_early and point.estimates for point in sweep.points)

    def record(self, point: Point) -> Record:
        if not self._any:
            return {}
        return {_FIELD: f"{point.ended_early} of {point.runs}" if point.ended_early else "none"}

    def tooltips(self) -> list[alt.Tooltip]:
        return [alt.Tooltip(f"{_FIELD}:N", title="runs cut short by the device's end of life")] if self._any else []

    def rings(self, base: alt.Chart) -> list[alt.Chart]:
        """Of a chart with its data: a layer that encircles these points."""
        if not self._any:
            return []
        rings: alt.Chart = base.transform_filter(f"datum.{_FIELD} !== 'none'").mark_point(size=190, strokeWidth=1.6)
        return [rings]

    def sign(self, point: Point) -> str:
        """Behind a point's value."""
        return SIGN if point.ended_early else ""

    def said(self, mark: str) -> str:
        """A sentence of the caption; `mark`: what these points have."""
        return f" {mark}: the device's end of life cut the point short." if self._any else ""
