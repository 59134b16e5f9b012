"""Timelines: read when they are there, drawn when they hold what a figure needs."""

from __future__ import annotations

import dataclasses

import pytest

from ftlab.errors import InputError
from ftlab.json_node import Node
from ftlab.report.contents import Report
from ftlab.report.figures import timeline
from ftlab.report.model.result import parse_result
from sample.result import result as sample_result

COLUMNS = {
    "time_s": [0, 30, 60],
    "slc_segments": [0, 4, 2],
    "mlc_segments": [0, 1, 3],
    "free_segments": [8, 3, 3],
}


def with_timeline(report: Report, columns: dict[str, tuple[float, ...]]) -> Report:
    run = report.runs[0]
    result = dataclasses.replace(run.result, timeline=columns)
    return dataclasses.replace(report, runs=(dataclasses.replace(run, result=result), *report.runs[1:]))


def test_a_run_without_samples_has_no_figure(report: Report) -> None:
    assert timeline.make(report) == []


def test_regions_are_drawn_where_the_timeline_has_them(report: Report) -> None:
    columns = {name: tuple(float(v) for v in values) for name, values in COLUMNS.items()}
    figures = timeline.make(with_timeline(report, columns))
    assert [figure.name for figure in figures] == ["segments-over-time-0"]
    assert "SLC 2, MLC 3, free 3" in figures[0].alt


def test_long_timelines_are_thinned(report: Report) -> None:
    n = 10 * timeline.MOST_POINTS
    columns = {name: tuple(float(i) for i in range(n)) for name in COLUMNS}
    figure = timeline.make(with_timeline(report, columns))[0]
    values = (
        next(iter(figure.spec["datasets"].values())) if "datasets" in figure.spec else figure.spec["data"]["values"]
    )
    assert len(values) <= 3 * timeline.MOST_POINTS


def test_columns_of_different_length_are_refused() -> None:
    value = sample_result()
    value["timeline"] = {"time_s": [0, 1], "alpha": [1]}
    with pytest.raises(InputError, match=r"timeline\.alpha: has 1 entries for 2 samples"):
        parse_result(Node("result.json", "", value))
