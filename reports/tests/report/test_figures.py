"""Every figure, whatever is registered: a picture, words, and the numbers it was given."""

from __future__ import annotations

import dataclasses
import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest

from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures import (
    comparison,
    deviation,
    draw,
    erase_counts,
    labels,
    latency,
    plot_parts,
    series,
    stacked,
    time_by_cause,
    wear_order,
)
from ftlab.report.model.reproduce import Cell, Quantity
from ftlab.report.registry import fill
from ftlab.report.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
EXPECTED = {
    "comparison", "time-by-cause", "energy-by-cause", "energy-by-operation", "battery", "wear-map", "erase-counts", "wear-order",
    "latency-write", "latency-read", "deviation-fms-table4", "deviation-fms-breakdown", "fms-breakdown-bars",
    "fms-locality-lines", "fms-table4-throughput",
}  # fmt: skip


def figures_of(report: Report) -> dict[str, Figure]:
    figures = [block for item in fill(report) for block in item.blocks if isinstance(block, Figure)]
    named = {figure.name: figure for figure in figures}
    assert len(named) == len(figures)
    return named


@pytest.fixture(scope="module")
def figures(report: Report) -> dict[str, Figure]:
    return figures_of(report)


def values_of(figure: Figure) -> list[dict[str, Any]]:
    """The records of all layers and panels."""

    def walk(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield from node.get("data", {}).get("values", [])
        for key in ("layer", "hconcat", "vconcat"):
            for child in node.get(key, []):
                yield from walk(child)

    return list(walk(figure.spec))


def test_study_has_every_figure(figures: dict[str, Figure]) -> None:
    assert set(figures) == EXPECTED


def test_single_run_has_the_figures_that_need_no_comparison(single: Report) -> None:
    assert set(figures_of(single)) == {
        "time-by-cause", "energy-by-cause", "energy-by-operation", "wear-map", "erase-counts", "wear-order", "latency-write",
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_figure_draws_as_svg_with_words_for_those_who_cannot_see_it(figures: dict[str, Figure], name: str) -> None:
    figure = figures[name]
    assert figure.title
    assert len(figure.alt) > 20
    root = ET.fromstring(to_svg(figure))
    assert root.tag == f"{SVG}svg"
    assert float(root.attrib["width"]) <= 1100
    marks = [path for path in root.iter(f"{SVG}path") if len(path.attrib.get("d", "")) > 8]
    assert len(marks) > 5
    labels = "".join(element.text or "" for element in root.iter(f"{SVG}text"))
    assert "NaN" not in labels
    assert "undefined" not in labels
    assert "Infinity" not in labels


def test_specs_are_the_same_each_time_they_are_made(report: Report, figures: dict[str, Figure]) -> None:
    again = figures_of(report)
    for name, figure in figures.items():
        assert json.dumps(again[name].spec, sort_keys=True) == json.dumps(figure.spec, sort_keys=True), name


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_specs_fetch_nothing(figures: dict[str, Figure], name: str) -> None:
    text = json.dumps({key: value for key, value in figures[name].spec.items() if key != "$schema"})
    assert '"url"' not in text
    assert "http" not in text


def test_time_parts_sum_to_the_simulated_time(report: Report) -> None:
    figure = time_by_cause.make(report)[0]
    for run in report.runs:
        parts = [value["value"] for value in values_of(figure) if value.get("row") == run.label and "kind" in value]
        assert sum(parts) * 3600 == pytest.approx(run.result.simulated_s)


def test_kinds_that_never_occur_are_left_out() -> None:
    bars = [stacked.Bar("a", {"host": 1.0, "mount": 0.0}), stacked.Bar("b", {"clean": 2.0, "zzz_new": 1.0})]
    assert stacked.kinds_of(bars, {"clean": ("", ""), "host": ("", ""), "mount": ("", "")}) == [
        "clean",
        "host",
        "zzz_new",
    ]


def test_comparison_is_in_per_cent_of_the_baseline(report: Report) -> None:
    records = [value for value in values_of(comparison.make(report)[0]) if value.get("key") == "Segments erased ↓"]
    assert {record["run"]: round(record["percent"], 2) for record in records} == {
        "Greedy / M1": 100.0, "Cost-benefit / M4": 64.95, "CAT / M6": 46.88,
    }  # fmt: skip


def test_a_bar_of_many_times_the_baseline_is_cut_off(report: Report) -> None:
    first, *others = report.runs
    slow = Run(first.label, dataclasses.replace(first.result, flash=first.result.flash | {"erases": 5}))
    figure = comparison.make(dataclasses.replace(report, runs=(slow, *others)))[0]
    records = [value for value in values_of(figure) if value.get("key") == "Segments erased ↓"]
    assert [record["percent"] for record in records[:3]] == [100.0, comparison.MOST, comparison.MOST]
    assert records[1]["label"] == "→ 5,733 (× 1,147)"
    assert "cut off at 500 %" in figure.caption
    assert "cut off" not in comparison.make(report)[0].caption


def test_erase_counts_of_all_segments_are_drawn(report: Report) -> None:
    bars = [value for value in values_of(erase_counts.make(report)[0]) if "segments" in value]
    assert len(bars) == 3 * 192
    assert sum(bar["erases"] for bar in bars) == sum(sum(run.result.wear.erase_counts) for run in report.runs)


def test_marks_of_erase_counts_in_order_are_whole_numbers(single: Report) -> None:
    run = single.runs[0]
    wear = dataclasses.replace(run.result.wear, erase_counts=(0, 1, 1, 2))
    worn = dataclasses.replace(single, runs=(Run(run.label, dataclasses.replace(run.result, wear=wear)),))
    svg = to_svg(wear_order.make(worn)[0])
    assert ">0.5</text>" not in svg
    assert ">2</text>" in svg
    marks = [draw.whole_ticks(most) for most in (0, 1, 6, 7, 65, 12345)]
    assert marks == [[0], [0, 1], [*range(7)], [0, 2, 4, 6], [*range(0, 61, 10)], [*range(0, 12001, 2000)]]


def test_large_devices_are_drawn_as_means_of_neighbours(single: Report) -> None:
    run = single.runs[0]
    wear = dataclasses.replace(run.result.wear, erase_counts=tuple(range(5000)))
    large = dataclasses.replace(single, runs=(Run(run.label, dataclasses.replace(run.result, wear=wear)),))
    figure = erase_counts.make(large)[0]
    bars = [value for value in values_of(figure) if "segments" in value]
    assert len(bars) <= erase_counts.MOST_BARS
    assert bars[0]["erases"] == pytest.approx(5.0)
    assert "mean of up to 11 neighbouring segments" in figure.caption


def test_latency_curve_falls_from_one(report: Report) -> None:
    points = report.runs[0].result.write_latency.slower_than()
    shares = [share for _, share in points]
    assert shares[0] == 1.0
    assert shares[-1] == 0.0
    assert shares == sorted(shares, reverse=True)
    assert {figure.name for figure in latency.make(report)} == {"latency-write", "latency-read"}


def test_log_axis_is_marked_in_steps_people_say() -> None:
    assert draw.log_ticks(0.004, 0.6) == [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    assert draw.log_ticks(0.25, 1.8) == [0.3, 0.5, 0.7, 1.0, 2.0]
    assert draw.log_ticks(1e-5, 3.0) == [1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0]


def test_rare_requests_have_a_share_that_is_not_none(single: Report) -> None:
    run = single.runs[0]
    slow = dataclasses.replace(run.result.write_latency, edges_s=(1e-3, 1e-2, 1.0), counts=(4_999_999, 1))
    rare = dataclasses.replace(single, runs=(Run(run.label, dataclasses.replace(run.result, write_latency=slow)),))
    root = ET.fromstring(to_svg(latency.make(rare)[0]))
    shares = [text for element in root.iter(f"{SVG}text") if (text := "".join(element.itertext())).endswith("%")]
    assert "0.0001 %" in shares or "0.00001 %" in shares
    assert not {"0 %", "0%"} & set(shares)


@pytest.mark.shared
def test_no_name_of_a_run_is_cut_off(report: Report) -> None:
    runs = tuple(
        Run(f"{run.label}, fine-grained redistribution with a name of some length", run.result) for run in report.runs
    )
    long = dataclasses.replace(report, runs=runs, baseline=runs[0].label, energy_per_mib=())
    for figure in figures_of(long).values():
        assert "…" not in to_svg(figure), figure.name


def test_long_names_break_between_words_and_none_is_lost() -> None:
    names = labels.Names(("cost_benefit with fine-grained redistribution on a card of 24 MB", "CAT"), max_width=150)
    lines = names.lines(names.names[0])
    assert len(lines) > 1
    assert " ".join(lines).replace("- ", "-").replace("_ ", "_") == names.names[0]
    assert names.width <= 150 + 24
    assert names.row_height > labels.Names(("CAT",)).row_height


def _cell(paper: float | None, ours: float, deviation: float | None, kind: str) -> Cell:
    return Cell("q", paper, ours, 2.0, deviation, kind, 0.01, 0.02, "pass", "")


def test_deviation_is_drawn_in_the_unit_of_the_table() -> None:
    relative = deviation.drawn(_cell(200.0, 202.0, 0.01, "relative"), "relative")
    assert relative == deviation.Drawn(deviation=1.0, allowed=2.0, error=1.0)
    absolute = deviation.drawn(_cell(200.0, 202.0, 2.0, "absolute"), "absolute")
    assert absolute == deviation.Drawn(deviation=2.0, allowed=0.02, error=2.0)


def test_deviation_without_a_place_on_the_axis_is_left_to_the_table() -> None:
    assert deviation.drawn(_cell(200.0, 202.0, 2.0, "absolute"), "relative") is None
    assert deviation.drawn(_cell(None, 1.0, None, "relative"), "relative") is None


def test_a_panel_names_the_unit_of_its_deviations(report: Report) -> None:
    assert report.reproduction is not None
    experiment = report.reproduction.experiments[0]
    (erasures, *_) = experiment.quantities
    assert deviation.kind_of(experiment, erasures) == "relative"  # though some rows are held to one erasure
    all_absolute = dataclasses.replace(
        experiment, rows=tuple(row for row in experiment.rows if row.cells["erasures"].deviation_kind == "absolute")
    )
    assert deviation.kind_of(all_absolute, erasures) == "absolute"
    share, rate = Quantity("q", "share", "%", 2), Quantity("q", "rate", "B/s", 0)
    assert [deviation.unit_of(one, "absolute") for one in (share, rate)] == ["points", "B/s"]
    assert deviation.unit_of(share, "relative") == "%"


def test_left_out_cells_are_counted_in_the_caption(report: Report) -> None:
    figure = next(figure for figure in deviation.make(report) if figure.name == "deviation-fms-table4")
    assert "12 cells are in the table only" in figure.caption
    assert "62 of 63 judged cells" in figure.alt


def test_published_series_share_the_colour_of_ours(report: Report) -> None:
    assert report.reproduction is not None
    plot = report.reproduction.experiments[2].plots[0]
    colours = plot_parts.colours_of(plot)
    assert colours["CAT, paper"] == colours["CAT"] != colours["greedy"]


def test_a_logarithmic_axis_has_no_zero(figures: dict[str, Figure]) -> None:
    scales = [layer["encoding"]["x"]["scale"] for layer in figures["fms-locality-lines"].spec["layer"]]
    assert {scale["type"] for scale in scales} == {"log"}
    assert not [scale for scale in scales if "zero" in scale]


def test_logarithmic_bars_become_dots_and_long_names_lie(figures: dict[str, Figure]) -> None:
    layers = figures["fms-table4-throughput"].spec["layer"]
    assert layers[0]["mark"]["type"] == "point"
    assert layers[0]["encoding"]["y"]["field"] == "x"
    assert layers[0]["encoding"]["x"]["scale"]["type"] == "log"


def test_few_short_names_stand(figures: dict[str, Figure]) -> None:
    layers = figures["fms-breakdown-bars"].spec["layer"]
    assert layers[0]["mark"]["type"] == "bar"
    assert layers[0]["encoding"]["x"]["field"] == "x"


def test_long_names_on_a_linear_axis_lie_as_bars(report: Report) -> None:
    assert report.reproduction is not None
    plot = report.reproduction.experiments[0].plots[0]
    ranged = [
        dataclasses.replace(
            item,
            points=tuple(dataclasses.replace(point, low=point.y * 0.9, high=point.y * 1.1) for point in item.points),
        )
        for item in plot.series
    ]
    linear = dataclasses.replace(plot, y=dataclasses.replace(plot.y, scale="linear"), series=tuple(ranged))
    bars, rules = series._figure(linear, report.reproduction.experiments[0]).spec["layer"]
    assert bars["mark"]["type"] == "bar"
    assert bars["encoding"]["y"]["field"] == "x"
    assert rules["encoding"]["x2"]["field"] == "high"


def test_axes_say_what_titles_and_totals_say(figures: dict[str, Figure]) -> None:
    assert figures["latency-write"].title == "Write latency"
    assert "'title': 'write latency'" in str(figures["latency-write"].spec)
    assert "'title': 'energy per MiB written, J/MiB'" in str(figures["energy-by-cause"].spec)
