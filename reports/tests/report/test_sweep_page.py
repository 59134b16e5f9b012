"""A page about a sweep, and one about a search."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import sample
from ftlab.commands import main
from ftlab.errors import InputError
from ftlab.report.blocks import Choice, Figure
from ftlab.report.cli import make_report
from ftlab.report.figures import sweep_heat, trade_off
from ftlab.report.figures.pair_plot import Side
from ftlab.report.load import load_report
from ftlab.report.model.sweep import Point, SweepTable
from ftlab.report.registry import figures_of, fill
from ftlab.report.svg import to_svg
from ftlab.report.sweep_words import figure_name, key_name, value_text

_FIGURES = [
    {"path": "write_amplification", "unit": "", "help": "pages written for each page of the host"},
    {"path": "throughput.write_bytes_per_s", "unit": "B/s", "help": "what the host wrote a second"},
]
_HEAD = "ftl.selection,ftl.utilization,{}write_amplification.mean,write_amplification.ci95,throughput.write_bytes_per_s.mean,throughput.write_bytes_per_s.ci95,runs,ended_early,failed,reason\n"


def _written(folder: Path, rows: str, pareto: str = "", **more: Any) -> Path:
    description = {
        "schema": "ftlab-sweep", "version": 1, "name": "cat", "seeds": 2,
        "axes": ["ftl.selection", "ftl.utilization"], "figures": _FIGURES,
    }  # fmt: skip
    (folder / "sweep.json").write_text(json.dumps(description | more))
    (folder / "table.csv").write_text(_HEAD.format(pareto) + rows)
    return folder


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    return _written(
        tmp_path,
        "greedy,0.5,1.1,0.01,150,2,2,0,0,\ngreedy,0.9,2.5,0.1,50,1,2,0,0,\n"
        "cat,0.5,1.2,0.02,140,2,2,0,0,\ncat,0.9,,,,,0,0,2,too full\n",
    )


@pytest.fixture
def search(tmp_path: Path) -> Path:
    wanted = [
        {"figure": "write_amplification", "wanted": "min"},
        {"figure": "throughput.write_bytes_per_s", "wanted": "max"},
    ]
    rows = "greedy,0.5,True,1.1,,150,,1,0,0,\ncat,0.9,False,2.5,,50,,1,0,0,\n"
    return _written(tmp_path, rows, pareto="pareto,", seeds=1, objectives=wanted)


def _figures(folder: Path) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures_of(fill(load_report(folder)))}


def test_each_figure_is_a_curve_for_each_other_axis_over_the_numeric_one(sweep: Path) -> None:
    figures = _figures(sweep)
    assert list(figures) == [
        "sweep-write-amplification",
        "sweep-throughput-write-bytes-per-s",
        "heat-write-amplification",
        "heat-throughput-write-bytes-per-s",
        "trade-off-throughput-write-bytes-per-s-write-amplification",
    ]
    shown = figures["sweep-write-amplification"]
    records = (
        shown.spec["layer"][1]["data"]["values"] if "data" in shown.spec["layer"][1] else shown.spec["data"]["values"]
    )
    assert records == [
        {
            "curve": "greedy",
            "x": 0.5,
            "y": 1.1,
            "low": 1.09,
            "high": pytest.approx(1.11),
            "interval": "1.0900 to 1.1100",
        },
        {"curve": "greedy", "x": 0.9, "y": 2.5, "low": 2.4, "high": 2.6, "interval": "2.4000 to 2.6000"},
        {"curve": "cat", "x": 0.5, "y": 1.2, "low": 1.18, "high": 1.22, "interval": "1.1800 to 1.2200"},
    ]
    assert "greedy: 1.1 to 2.5" in shown.alt
    assert "95 % interval" in shown.caption


def _tooltips(figure: Figure) -> set[str]:
    layers = figure.spec.get("layer", [figure.spec])
    return {one["title"] for layer in layers for one in layer["encoding"].get("tooltip", []) if "title" in one}


def test_one_seed_has_no_interval(tmp_path: Path) -> None:
    rows = "greedy,0.5,1.1,,150,,1,0,0,\ngreedy,0.9,2.5,,50,,1,0,0,\ncat,0.5,1.2,,140,,1,0,0,\n"
    figures = _figures(_written(tmp_path, rows, seeds=1))
    curves, heat = figures["sweep-write-amplification"], figures["heat-write-amplification"]
    assert [layer["mark"]["type"] for layer in curves.spec["layer"]] == ["line"]
    assert not {title for title in _tooltips(curves) | _tooltips(heat) if "interval" in title}
    assert "interval" not in curves.caption


def test_a_point_with_one_run_has_no_interval_beside_points_that_have_one(tmp_path: Path) -> None:
    rows = "greedy,0.5,1.1,0.1,150,2,2,0,0,\ngreedy,0.9,2.5,,50,,1,0,1,killed\n"
    shown = _figures(_written(tmp_path, rows))["sweep-write-amplification"]
    values = shown.spec.get("data", shown.spec["layer"][0].get("data"))["values"]
    assert [value["interval"] for value in values] == ["1.0000 to 1.2000", "–"]
    assert "low" not in values[1]
    assert {"filter": "isValid(datum.low)"} in shown.spec["layer"][0]["transform"]


def test_a_tile_says_its_value_over_its_number_too(sweep: Path) -> None:
    shown = _figures(sweep)["heat-write-amplification"]
    rect, text = (layer["encoding"]["tooltip"] for layer in shown.spec["layer"])
    assert rect == text


@pytest.mark.parametrize(("path", "wide"), [("latency.write.p999_s", True), ("latency.write.mean_s", False)])
def test_an_axis_of_a_percentile_spans_several_steps_of_its_histogram(tmp_path: Path, path: str, wide: bool) -> None:
    axes = {"ftl.utilization": ["0.5", "0.8"], "ftl.selection": ["a", "b"]}
    shown = _grid(tmp_path, axes, [{"path": path, "unit": "s", "help": "help"}])[
        f"sweep-{path}".replace(".", "-").replace("_", "-")
    ]
    svg = to_svg(shown)
    ticks = [
        float(found) for found in re.findall(r"aria-label=\"Y-axis[^\"]*values from ([0-9.]+) to ([0-9.]+)", svg)[0]
    ]
    assert (ticks[1] / ticks[0] > 1.08) == wide


@pytest.mark.parametrize("values", [("0.63970", "0.63971"), ("1", "1")])
def test_an_axis_of_values_that_are_nearly_equal_does_not_magnify_what_differs(
    tmp_path: Path, values: tuple[str, str]
) -> None:
    rows = "".join(f"greedy,{x},{y},,150,,1,0,0,\n" for x, y in zip(("0.5", "0.9"), values, strict=True))
    svg = to_svg(_figures(_written(tmp_path, rows))["sweep-write-amplification"])
    (low, high), *_ = re.findall(r"aria-label=\"Y-axis[^\"]*values from ([0-9.]+) to ([0-9.]+)", svg)
    assert 1.01 < float(high) / float(low) < 1.04


def test_two_figures_leave_room_around_a_percentile(tmp_path: Path) -> None:
    (choice,) = _choices(sample.write_trade_off(tmp_path))
    across, up = (choice.pairs[0].figure.spec["layer"][0]["encoding"][side]["scale"] for side in "xy")
    responses = [(1.6 - share) / (1 + 0.3 * index) for index in range(3) for share in (0.5, 0.9)]
    assert up["domain"] == pytest.approx([0.95 * min(responses), 1.05 * max(responses)])
    assert "domain" not in across


def test_a_numeric_axis_has_few_marks(sweep: Path) -> None:
    layers = _figures(sweep)["sweep-write-amplification"].spec["layer"]
    assert {layer["encoding"]["x"]["axis"]["tickCount"]["expr"] for layer in layers} == {"ceil(width / 80)"}


def test_a_single_value_of_a_numeric_axis_is_not_rounded(tmp_path: Path) -> None:
    shown = _figures(_written(tmp_path, "greedy,0.5,1.1,0.1,150,2,2,0,0,\n"))["sweep-write-amplification"]
    assert ">0.5</text>" in to_svg(shown)


def test_one_is_counted_in_the_singular(tmp_path: Path) -> None:
    summary = load_report(_written(tmp_path, "greedy,0.5,1.1,0.1,150,2,2,0,0,\n")).summary
    assert summary == "cat: 1 point of 2 seeds each over ftl.selection (1 value), ftl.utilization (1 value)."


def test_a_logarithmic_axis_of_two_figures_has_few_marks_all_within_it(tmp_path: Path) -> None:
    rows = "".join(f"greedy,{x},{1.1 * span},,{3e8 / span},,1,0,0,\n" for x, span in ((0.5, 1), (0.7, 40), (0.9, 300)))
    shown = _figures(_written(tmp_path, rows))["trade-off-throughput-write-bytes-per-s-write-amplification"]
    up = shown.spec["layer"][0]["encoding"]["y"]
    assert up["axis"]["values"] == [1, 2, 5, 10, 20, 50, 100, 200]
    low, high = up["scale"]["domain"]
    assert low < 1.1 < 330 < high < 500


def test_two_axes_make_a_map_and_points_that_failed_leave_it_open(sweep: Path) -> None:
    shown = _figures(sweep)["heat-write-amplification"]
    values = shown.spec["data"]["values"] if "data" in shown.spec else shown.spec["layer"][0]["data"]["values"]
    assert {(value["x"], value["y"]): value["value"] for value in values} == {
        ("greedy", "0.5"): 1.1, ("greedy", "0.9"): 2.5, ("cat", "0.5"): 1.2,
    }  # fmt: skip
    assert "1.1 to 2.5 over 3 combinations" in shown.alt


def test_one_axis_makes_no_map(tmp_path: Path) -> None:
    rows = "greedy,0.5,1.1,0.01,150,2,2,0,0,\ngreedy,0.9,2.5,0.1,50,1,2,0,0,\n"
    assert not [name for name in _figures(_written(tmp_path, rows)) if name.startswith("heat")]


def test_numbers_of_an_axis_are_in_their_order() -> None:
    points = tuple(Point({"a": value}, {}, False) for value in ("10", "2", "1"))
    table = SweepTable("t", 1, ("a",), (), (), points)
    assert sweep_heat.ordered_values(table, "a") == ["1", "2", "10"]


def test_points_that_none_beats_in_both_are_joined(sweep: Path) -> None:
    shown = _figures(sweep)["trade-off-throughput-write-bytes-per-s-write-amplification"]
    assert shown.alt == "3 points, 1 of them beaten by none."
    assert shown.caption.startswith("Wanted: Write throughput large and Write amplification small. ")
    assert trade_off.front([(1, 1), (2, 2), (1, 1), (0, 3)], (False, True)) == [False, False, False, True]
    assert trade_off.front([(1, 5), (2, 7), (3, 6)], (False, True)) == [True, True, False]


def _choices(folder: Path) -> list[Choice]:
    return [block for item in fill(load_report(folder)) for block in item.blocks if isinstance(block, Choice)]


def test_of_several_figures_two_are_picked_at_first_throughput_and_response_time(tmp_path: Path) -> None:
    (choice,) = _choices(sample.write_trade_off(tmp_path))
    throughput, response, energy, amplification = (
        "throughput.write_bytes_per_s", "latency.write.p99_s", "energy.j_per_host_mib", "write_amplification",
    )  # fmt: skip
    titles = ["Write throughput", "Write latency, 99th percentile", "Energy per MiB written", "Write amplification"]
    assert [Side(path, more=True).name for path in (throughput, response, energy, amplification)] == titles
    assert choice.quantities == titles
    assert len(choice.pairs) == 6
    assert (choice.pairs[0].x, choice.pairs[0].y) == (titles[0], titles[1])
    assert choice.pairs[0].figure.title == "Write latency, 99th percentile against Write throughput"


def test_a_figure_that_no_point_has_cannot_be_picked(tmp_path: Path) -> None:
    folder = sample.write_trade_off(tmp_path, lacking="energy.j_per_host_mib")
    (choice,) = _choices(folder)
    assert "Energy per MiB written" not in choice.quantities
    assert len(choice.pairs) == 3


def test_of_a_search_with_several_objectives_two_are_picked(tmp_path: Path) -> None:
    figures = [*_FIGURES, {"path": "flash.erases", "unit": "segments", "help": "erased"}]
    objectives = [{"figure": figure["path"], "wanted": "min"} for figure in figures]
    rows = "greedy,0.5,True,1.1,,150,,3,,1,0,0,\ncat,0.9,False,2.5,,50,,4,,1,0,0,\n"
    folder = _written(tmp_path, "", seeds=1, figures=figures, objectives=objectives)
    head = _HEAD.format("pareto,").replace("runs,", "flash.erases.mean,flash.erases.ci95,runs,")
    (folder / "table.csv").write_text(head + rows)
    (choice,) = _choices(folder)
    assert [(pair.x, pair.y) for pair in choice.pairs] == [
        ("Write amplification", "Write throughput"),
        ("Write amplification", "Segments erased"),
        ("Write throughput", "Segments erased"),
    ]


def test_figures_of_unknown_worth_are_not_traded_off() -> None:
    assert trade_off.wanted("latency.write.p99_s") is False
    assert trade_off.wanted("throughput.read_bytes_per_s") is True
    assert trade_off.wanted("flash.reads") is None


def _grid(folder: Path, axes: dict[str, list[str]], figures: list[dict[str, str]] = _FIGURES[:1]) -> dict[str, Figure]:
    return _figures(sample.write_grid(folder, axes, figures))


_FOUR_AXES = {
    "ftl.utilization": ["0.5", "0.8"],
    "ftl.selection": ["greedy", "cost_benefit", "cat"],
    "ftl.page_bytes": ["1024", "2048", "4096", "8192"],
    "ftl.redistribution": ["sequential", "fine_grained", "dac"],
}


def test_the_axes_named_first_are_drawn_and_the_others_are_picked(tmp_path: Path) -> None:
    figures = _grid(tmp_path, _FOUR_AXES)
    curves, heat = figures["sweep-write-amplification"], figures["heat-write-amplification"]
    assert curves.title == "Write amplification over utilization"
    assert heat.title == "Write amplification over selection and utilization"
    for figure in (curves, heat):
        boxes = {
            param["bind"]["name"].strip(): param
            for param in figure.spec["params"]
            if "bind" in param and "name" in param["bind"]
        }
        assert list(boxes) == ["page size", "redistribution"]
        assert boxes["page size"]["value"] == "1024"
        assert boxes["page size"]["bind"]["options"] == ["1024", "2048", "4096", "8192"]
        assert boxes["page size"]["bind"]["labels"] == ["1 KiB", "2 KiB", "4 KiB", "8 KiB"]
        assert figure.hint == "Picked below the chart, and at first: page size 1 KiB, redistribution sequential."
        assert figure.on_paper == "Held: page size 1 KiB, redistribution sequential."
        filters = [one["filter"] for one in figure.spec["layer"][0]["transform"]]
        assert filters == [f"datum.held{nth} === {param['name']}" for nth, param in enumerate(boxes.values())]
        values = figure.spec.get("data", figure.spec["layer"][0].get("data"))["values"]
        assert len(values) == 72
    assert "greedy: 1000 to 1036" in curves.alt
    assert "1000 to 1060 over 6 combinations" in heat.alt


def test_a_numeric_axis_named_first_is_drawn_though_a_later_one_has_more_values(tmp_path: Path) -> None:
    figures = _grid(
        tmp_path, {"ftl.selection": ["a", "b"], "ftl.utilization": ["0.5", "0.8"], "ftl.high_water": list("345")}
    )
    assert figures["sweep-write-amplification"].title == "Write amplification over utilization"
    assert figures["heat-write-amplification"].title == "Write amplification over selection and utilization"


def test_axes_have_names_and_units_that_people_read(tmp_path: Path) -> None:
    paths = {"throughput.write_bytes_per_s": "B/s", "latency.read.p999_s": "s", "time.by_cause_s.clean": "s"}
    figures = [{"path": path, "unit": unit, "help": "help"} for path, unit in paths.items()]
    drawn = _grid(tmp_path, {"workload.request_bytes": ["4096", "65536"], "ftl.selection": ["a", "b"]}, figures)
    shown = drawn["sweep-throughput-write-bytes-per-s"]
    encoding = shown.spec["layer"][0]["encoding"]
    assert encoding["x"]["title"] == "request size, KiB"
    assert encoding["y"]["title"] == "Write throughput, B/s"
    values = shown.spec.get("data", shown.spec["layer"][0].get("data"))["values"]
    assert {value["x"] for value in values} == {4, 64}
    assert drawn["sweep-latency-read-p999-s"].spec["layer"][1]["encoding"]["y"]["title"] == "Latency read p999, min"
    assert drawn["sweep-time-by-cause-s-clean"].title == "Time clean over request size"
    report = load_report(tmp_path)
    assert report.title == "Sweep over request size and selection"
    assert report.summary == "grid: 4 points over workload.request_bytes (2 values), ftl.selection (2 values)."


def test_keys_of_one_name_are_told_apart() -> None:
    keys = ["ftl.firmware_s", "host.firmware_s", "ftl.idle_s"]
    assert [key_name(key, keys) for key in keys] == ["ftl firmware", "host firmware", "idle"]
    assert [value_text(*pair) for pair in (("a.idle_s", "0.25"), ("a.cap_mib", "24"), ("a.trigger_ms", "15"))] == [
        "250 ms",
        "24 MiB",
        "15.0 ms",
    ]
    assert value_text("power.battery_wh", "20") == "20 Wh"


def test_kinds_of_cells_are_written_in_capitals() -> None:
    assert key_name("ftl.slc_segments") == "SLC segments"
    assert figure_name("firmware.figures.pages_to_slc") == "Firmware figures pages to SLC"


def test_more_combinations_than_can_be_told_apart_are_held_at_their_first_value(tmp_path: Path) -> None:
    rows = "".join(
        f"s{n},{share},{n},0.1,10,1,2,0,0,\n"
        for n in range(12)
        for share in ("0.5", "0.6", *(f"0.{n}" for n in range(70, 83)))
    )
    shown = _figures(_written(tmp_path, rows))["sweep-write-amplification"]
    assert shown.hint == "Picked below the chart, and at first: selection s0."


def test_search_shows_its_objectives_against_each_other(search: Path) -> None:
    figures = _figures(search)
    assert list(figures) == ["pareto-write-amplification-throughput-write-bytes-per-s"]
    (shown,) = figures.values()
    assert shown.alt == "2 points, 1 of them beaten by none."
    assert "Write amplification small and Write throughput large" in shown.caption


@pytest.mark.parametrize("kind", ["sweep", "search"])
def test_page_is_written_whole(kind: str, request: pytest.FixtureRequest) -> None:
    folder: Path = request.getfixturevalue(kind)
    page, *svgs = make_report([folder], folder / "report.html")
    text = page.read_text(encoding="utf-8")
    assert "points" in text
    assert "ftl.utilization (2 values)" in text
    assert f"<h2>{kind.capitalize()}</h2>" in text
    assert all(path.read_text(encoding="utf-8").startswith("<svg") for path in svgs)


def test_table_that_does_not_fit_is_named(sweep: Path) -> None:
    (sweep / "table.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"table\.csv: does not fit sweep\.json .* run the sweep again"):
        load_report(sweep)
    (sweep / "table.csv").unlink()
    with pytest.raises(InputError, match=r"table\.csv: cannot be read"):
        load_report(sweep)


@pytest.mark.parametrize("text", ["", _HEAD.format("")])
def test_table_without_rows_is_refused(sweep: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    (sweep / "table.csv").write_text(text)
    assert main(["report", str(sweep)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "table.csv: has no rows, one for each point; run the sweep again" in said


@pytest.mark.parametrize("row", ["cat,0.9", "cat,0.9,1,,1,,1,0,0,,one more", "cat," + "9" * 200_000])
def test_table_with_a_broken_row_does_not_fit(sweep: Path, row: str) -> None:
    with (sweep / "table.csv").open("a", encoding="utf-8") as table:
        table.write(row)
    with pytest.raises(InputError, match=r"table\.csv: does not fit sweep\.json .* run the sweep again"):
        load_report(sweep)
