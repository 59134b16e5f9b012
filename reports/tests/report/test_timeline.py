"""Timelines: read when they are there, and drawn whatever columns they hold."""

from __future__ import annotations

import dataclasses

import pytest

from ftlab.errors import InputError
from ftlab.json_node import Node
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures import timeline
from ftlab.report.figures.rates import with_rates
from ftlab.report.model.result import parse_result
from ftlab.report.svg import to_svg
from sample.result import result as sample_result

MIB = 1024.0 * 1024.0
Columns = dict[str, tuple[float, ...]]
PLAIN: Columns = {"time_s": (0.0, 30.0, 60.0), "bytes_written": (0.0, 30 * MIB, 30 * MIB), "erases": (0.0, 3.0, 9.0)}
FLEXFS: Columns = PLAIN | {
    "slc_segments": (0.0, 4.0, 2.0),
    "mlc_segments": (0.0, 1.0, 3.0),
    "free_segments": (8.0, 3.0, 3.0),
    "slc_share": (1.0, 0.4, 0.5),
    "delta": (1.0, 0.4, 0.5),
    "lost_writes": (0.0, 0.0, 0.0),
}


def with_timeline(report: Report, columns: Columns) -> Report:
    run = report.runs[0]
    result = dataclasses.replace(run.result, timeline=columns)
    return dataclasses.replace(report, runs=(dataclasses.replace(run, result=result), *report.runs[1:]))


def drawn(report: Report, columns: Columns) -> dict[str, Figure]:
    return {figure.name: figure for figure in timeline.make(with_timeline(report, columns))}


def test_a_run_without_samples_has_no_figure(report: Report) -> None:
    assert timeline.make(report) == []


def test_samples_of_any_firmware_are_drawn(report: Report) -> None:
    assert list(drawn(report, PLAIN)) == ["throughput-over-time-0", "erases-over-time-0"]


def test_columns_of_one_kind_share_a_figure(report: Report) -> None:
    figures = drawn(report, FLEXFS)
    assert "SLC 2, MLC 3, free 3" in figures["segments-over-time-0"].alt
    assert "in force 0.5, delta: from lifetime 0.5" in figures["shares-over-time-0"].alt


def test_a_column_that_nobody_knows_has_a_figure_of_its_own(report: Report) -> None:
    figures = drawn(report, PLAIN | {"queue_depth": (1.0, 2.0, 3.0)})
    assert "queue depth 3" in figures["queue-depth-over-time-0"].alt


def test_columns_that_stay_0_are_left_out(report: Report) -> None:
    assert not any("lost" in figure.alt for figure in drawn(report, FLEXFS).values())


def test_throughput_is_what_came_between_two_samples() -> None:
    rates = with_rates(PLAIN)
    assert rates["writes_mib_per_s"] == (1.0, 1.0, 0.0)
    assert "bytes_written" not in rates
    assert with_rates({"time_s": (0.0,), "bytes_written": (0.0,)}) == {}


def test_timelines_draw_as_svg(report: Report) -> None:
    for figure in drawn(report, FLEXFS).values():
        assert to_svg(figure).startswith("<svg")


def test_points_along_a_line_carry_its_tooltip(report: Report) -> None:
    line, points = drawn(report, FLEXFS)["segments-over-time-0"].spec["layer"]
    assert line["mark"]["type"] == "line"
    assert points["mark"] == {"type": "circle", "opacity": 0, "size": 110}
    assert [one["title"] for one in points["encoding"]["tooltip"]] == ["line", "time, s", "segments"]


def test_long_timelines_are_thinned_and_keep_their_end(report: Report) -> None:
    n = 10 * timeline.MAX_POINTS + 3
    columns: Columns = {name: tuple(float(i) for i in range(n)) for name in ("time_s", "a_segments", "b_segments")}
    values = drawn(report, columns)["segments-over-time-0"].spec["data"]["values"]
    assert len(values) <= 2 * (timeline.MAX_POINTS + 1)
    assert values[-1]["time"] == n - 1


def test_columns_of_different_length_are_refused() -> None:
    value = sample_result()
    value["timeline"] = {"time_s": [0, 1], "alpha": [1]}
    with pytest.raises(InputError, match=r"timeline\.alpha: has 1 entries for 2 samples"):
        parse_result(Node("result.json", "", value))
