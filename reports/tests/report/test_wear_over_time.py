"""The wear map over time: read when it is there, drawn by cells."""

from __future__ import annotations

import dataclasses

import pytest

from ftlab.errors import InputError
from ftlab.json_node import Node
from ftlab.report.contents import Report
from ftlab.report.figures import wear_over_time
from ftlab.report.model.result import WearOverTime, parse_result
from ftlab.report.svg import to_svg
from sample.result import result as sample_result

WEAR = WearOverTime((10.0, 30.0), 2, ((0.0, 1.0, 0.5), (2.0, 1.0, 4.0)))


def _with(report: Report, wear: WearOverTime | None) -> Report:
    run = report.runs[0]
    changed = dataclasses.replace(run, result=dataclasses.replace(run.result, wear_over_time=wear))
    return dataclasses.replace(report, runs=(changed, *report.runs[1:]))


def test_a_tile_covers_the_time_since_the_sample_before_and_its_segments() -> None:
    tiles = wear_over_time.tiles(WEAR)
    assert len(tiles) == 6
    assert (tiles[0]["from"], tiles[0]["to"], tiles[0]["segments"], tiles[0]["erases"]) == (0.0, 10.0, "0 to 1", 0.0)
    assert (tiles[5]["from"], tiles[5]["to"], tiles[5]["segments"], tiles[5]["erases"]) == (10.0, 30.0, "4 to 5", 4.0)


def test_many_cells_are_drawn_as_means_of_neighbours() -> None:
    tiles = wear_over_time.tiles(WearOverTime((1.0,), 1, (tuple(float(cell) for cell in range(200)),)))
    assert len(tiles) == 50
    assert tiles[0]["erases"] == 1.5
    assert tiles[-1]["segments"] == "196 to 199"


def test_runs_without_samples_have_no_such_figure(report: Report) -> None:
    assert wear_over_time.make(report) == []
    figures = wear_over_time.make(_with(report, WEAR))
    assert [figure.name for figure in figures] == ["wear-over-time"]
    assert "up to 4.0 erasures a segment after 30.0 s" in figures[0].alt
    assert "<svg" in to_svg(figures[0])


def test_the_map_is_read_from_a_result_and_a_crooked_one_refused() -> None:
    document = sample_result() | {"wear_map": {"time_s": [1.0, 2.0], "segments_per_cell": 1, "erases": [[0.0], [1.0]]}}
    assert parse_result(Node("r", "", document)).wear_over_time == WearOverTime((1.0, 2.0), 1, ((0.0,), (1.0,)))
    document["wear_map"]["erases"] = [[0.0]]
    with pytest.raises(InputError, match="must have a row for each time"):
        parse_result(Node("r", "", document))
