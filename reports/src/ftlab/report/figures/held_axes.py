"""Axes of a sweep that a chart holds at one value each, which is picked on the page. Paper has the first ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from ftlab.report.figures.draw import Record
from ftlab.report.model.sweep import Point, SweepTable
from ftlab.report.sweep_words import key_name, value_text


class Held:
    """`axes` of the sweep, in the chart of that name."""

    def __init__(self, sweep: SweepTable, axes: Sequence[str], chart: str) -> None:
        self._names = {axis: key_name(axis, sweep.axes) for axis in axes}
        self._values = {axis: sweep.values(axis) for axis in axes}
        self._fields = {axis: f"held{nth}" for nth, axis in enumerate(axes)}
        self._chart = chart.replace("-", "_")

    def record(self, point: Point) -> Record:
        """What the filter reads of a point."""
        return {field: point.settings[axis] for axis, field in self._fields.items()}

    def first(self, records: Sequence[Record]) -> list[Record]:
        """Those that are drawn before anything is picked."""
        wanted = {field: self._values[axis][0] for axis, field in self._fields.items()}
        return [record for record in records if all(record[field] == value for field, value in wanted.items())]

    def filtered(self, chart: alt.Chart) -> alt.Chart:
        for field in self._fields.values():
            chart = chart.transform_filter(f"datum.{field} === {self._parameter(field)}")
        return chart

    def offered(self, chart: Any) -> Any:
        for axis, field in self._fields.items():
            values = self._values[axis]
            box = alt.binding_select(
                options=values, labels=[value_text(axis, value) for value in values], name=f"{self._names[axis]} "
            )
            chart = chart.add_params(alt.param(name=self._parameter(field), value=values[0], bind=box))
        return chart

    def hint(self) -> str:
        """For the screen; empty where nothing is held."""
        held = self._at_first()
        return f"Picked below the chart, and at first: {held}." if held else ""

    def on_paper(self) -> str:
        held = self._at_first()
        return f"Held: {held}." if held else ""

    def _at_first(self) -> str:
        return ", ".join(f"{self._names[axis]} {value_text(axis, self._values[axis][0])}" for axis in self._fields)

    def _parameter(self, field: str) -> str:
        return f"{self._chart}_{field}"
