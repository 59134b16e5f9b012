"""The wear map: every segment on its device, large devices as means of neighbours."""

from __future__ import annotations

import dataclasses

import pytest

from ftlab.report.contents import Report, Run
from ftlab.report.figures import wear_map
from ftlab.report.svg import to_svg


def sized(report: Report, segments: int, devices: int) -> Run:
    run = report.runs[0]
    wear = dataclasses.replace(run.result.wear, erase_counts=tuple(range(segments)))
    device = dataclasses.replace(run.result.device, parallel_units=devices)
    return Run(run.label, dataclasses.replace(run.result, wear=wear, device=device))


def test_every_segment_is_a_tile_on_its_device(report: Report) -> None:
    tiles = wear_map.tiles(report.runs[0])
    counts = report.runs[0].result.wear.erase_counts
    assert [tile["erases"] for tile in tiles] == list(counts)
    assert [tile["device"] for tile in tiles] == [segment // 32 for segment in range(192)]


@pytest.mark.parametrize(("segments", "devices"), [(1024, 1), (2048, 2), (100_000, 8), (7, 1), (192, 192)])
def test_no_segment_is_lost_on_devices_of_any_size(report: Report, segments: int, devices: int) -> None:
    tiles = wear_map.tiles(sized(report, segments, devices))
    last = str(tiles[-1]["segments"]).split(" to ")[-1]
    assert last == str(segments - 1)
    assert {tile["device"] for tile in tiles} == set(range(devices))
    assert len({(tile["row"], tile["from"]) for tile in tiles}) == len(tiles) <= 1024 * devices


def test_map_draws_as_svg(report: Report) -> None:
    figure = wear_map.make(report)[0]
    assert to_svg(figure).count("<path") > 192
    assert "of 192 segments on 6 devices" in figure.alt
