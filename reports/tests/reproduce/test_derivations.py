"""What is read off timelines and distributions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ftlab.reproduce.derivations import (
    endurance,
    lifetime,
    models,
    response,
    throughput,
    timeline,
    trade_off,
    valid_pages,
)
from program import needs_program

MIB = 1024.0 * 1024.0


def _curve(rates: list[float], alphas: list[float] | None = None) -> throughput.Curve:
    return throughput.Curve([10.0 * (place + 1) for place in range(len(rates))], rates, alphas or [0.0] * len(rates), 0)


def test_a_curve_has_a_point_for_each_mib_and_for_what_is_left() -> None:
    run = {
        "timeline": {
            "bytes_written": [0, 0.5 * MIB, MIB, 2.5 * MIB, 3 * MIB],
            "write_service_s": [0, 1, 2, 3, 4],
            "valid_pages": [0, 10, 20, 30, 40],
            "slc_share": [1, 1, 0.9, 0.8, 0.7],
        }
    }
    curve = throughput.throughput_curve(run, 100)
    assert curve.used == [20.0, 30.0, 40.0]
    assert curve.rate == pytest.approx([MIB / 2e6, 1.5 * MIB / 1e6, 0.5 * MIB / 1e6])
    assert curve.alpha == [0.9, 0.8, 0.7]
    assert throughput.overall_rate(curve) == pytest.approx(3 * MIB / 4e6)


def test_a_collapse_is_for_good_or_for_so_many_points() -> None:
    assert throughput.collapse_at(_curve([10, 10, 5, 10, 5, 5, 5, 10]), 0.8, 3) == 50.0
    assert throughput.collapse_at(_curve([10, 10, 10, 10, 5]), 0.8, 3) == 50.0, "to the end"
    assert throughput.collapse_at(_curve([10, 10, 10]), 0.8, 3) == 100.0


def test_a_crossing_begins_where_the_curve_goes_below_for_so_many_points() -> None:
    other = _curve([5.0] * 6)
    assert throughput.crossing_of(_curve([9, 4, 9, 4, 4, 4]), other, 3) == 40.0
    assert throughput.crossing_of(_curve([9, 4, 9, 4, 4, 9]), other, 3) == 100.0


def test_the_mean_rate_of_equal_amounts_is_that_of_the_summed_times() -> None:
    assert throughput.mean_rate(_curve([1, 3, 100]), 10, 20) == pytest.approx(1.5)
    assert throughput.mean_rate(_curve([1, 3]), 50, 60) == 0.0
    assert throughput.mean_alpha(_curve([1, 1, 1], [0.2, 0.4, 9]), 10, 20) == pytest.approx(0.3)


def test_a_steady_curve_ends_where_its_last_fall_begins() -> None:
    assert throughput.steady_up_to(_curve([10, 10, 2, 10, 2, 2]), 0.8, 10, 20) == 50.0
    assert throughput.steady_up_to(_curve([10, 10, 10]), 0.8, 10, 20) == 30.0


def _distribution(values: list[float]) -> dict[str, Any]:
    return {"latency": {"after_pause": {"percentiles_s": values}}}


def test_shares_of_a_distribution_come_from_its_percentiles() -> None:
    run = _distribution([0.001, 0.001, 0.002, 0.004])
    assert response.percent_above(run, 0.002) == 25.0
    assert response.percent_above(run, 0.0) == 100.0
    slow = _distribution([0.001, 0.003, 0.004, 0.005])
    assert response.percent_delayed(slow, run) == 50.0
    assert response.percent_delayed(run, run) == 0.0
    assert response.distribution_points(run)[0] == (1000.0, 1)


def test_equations_7_to_9_share_out_what_the_flash_memory_stands() -> None:
    volumes = [10.0] * 4
    assert [endurance.wear_index(volumes, 120, window) for window in range(4)] == [1.0, 1.0, 1.0, 1.0]
    assert endurance.written_by_budget(volumes, 120) == 120.0
    tight = [endurance.wear_index(volumes, 60, window) for window in range(4)]
    assert tight[0] == 1.0, "no estimate yet"
    assert tight[1] == 0.0
    assert endurance.written_by_budget(volumes, 60) == pytest.approx(60)


def test_segments_are_ordered_by_erasures_and_those_beside_the_partition_left_out() -> None:
    run = {"wear": {"erase_counts": [1, 5, 3, 0, 0], "data_segments": {"count": 3}}}
    assert endurance.erase_count_points(run) == [(1.0, 5.0), (2.0, 3.0), (3.0, 1.0)]


def test_a_timeline_is_read_at_the_last_row_not_after_a_time_or_before_it() -> None:
    run = {"timeline": {"time_s": [10.0, 20.0, 30.0], "delta": [1, 2, 3]}}
    assert timeline.timeline_at(run, "delta", 20.0) == 2
    assert timeline.timeline_before(run, "delta", 20.0) == 1
    assert timeline.timeline_at(run, "delta", 5.0) == 0
    assert timeline.timeline_mean(run, "delta", 10.0, 30.0, 10.0) == 1.5
    assert timeline.timeline_points(run, "delta", 30.0, 10.0) == [(0.0, 0.0), (10.0, 1.0), (20.0, 2.0)]
    assert timeline.window_points(run, "delta", 15.0, 2) == [("w0", 1.0), ("w1", 2.0)]


@needs_program
def test_models_are_those_of_the_program() -> None:
    assert models.lru_model(0.07) == pytest.approx(7.3177, abs=1e-4)
    assert models.greedy_model(0.07, 64.0) == pytest.approx(6.6001, abs=1e-4)
    assert models.greedy_exact_model(0.07, 64) == pytest.approx(6.6155, abs=1e-4)
    assert models.d_choices_model(0.07, 64, 10) == pytest.approx(6.8939, abs=1e-4)
    assert models.lru_hot_cold_model(0.11, 0.9, 0.05) == pytest.approx(6.409, abs=1e-3)
    assert models.greedy_hot_cold_model(0.11, 64, 0.9, 0.05) == pytest.approx(6.058, abs=1e-3)
    with pytest.raises(ValueError, match=r"model lru: .*spare_factor"):
        models.lru_model(2.0)


def test_segments_are_counted_by_their_valid_pages() -> None:
    counts = [0, 0, 1, 0, 9, 30, 60]
    assert valid_pages.valid_share(counts, 0, 4) == 10.0
    assert valid_pages.fewest_valid(counts, 1) == 2
    assert valid_pages.fewest_valid(counts, 1.5) == 4
    assert valid_pages.valid_points(counts, 5) == [(5, 30.0), (6, 60.0)]
    assert valid_pages.occupancy_exponent([0, 60, 30, 20, 15], 1) == pytest.approx(-1)


def test_requests_that_take_longer_than_an_edge_of_the_histogram() -> None:
    points = response.slower_points({"edges_s": [1e-6, 2e-6, 4e-6, 8e-6], "counts": [6, 3, 1]})
    assert [x for x, _ in points] == pytest.approx([2, 4])
    assert [y for _, y in points] == pytest.approx([0.4, 0.1])


@needs_program
def test_classes_of_the_trace_of_a_run_are_asked_for(tmp_path: Path) -> None:
    trace = tmp_path / "writes.csv"
    offsets = [0, 4096, 0, 8192, 0, 4096]
    lines = [f"{time},host,0,Write,{offset},4096,10" for time, offset in enumerate(offsets)]
    trace.write_text("\n".join(lines) + "\n")
    run = {
        "config": {"workload": {"path": str(trace), "format": "msr", "device": []}},
        "device": {"page_bytes": 4096, "logical_bytes": 10 * 4096},
    }
    uniform = models.trace_lru_model(run | {"device": {"page_bytes": 4096, "logical_bytes": 3 * 4096}}, 0.1, 1)
    assert uniform == pytest.approx(models.lru_model(0.1), rel=1e-6)
    assert models.trace_lru_model(run, 0.1, 2) != pytest.approx(uniform, rel=0.01), "seven pages are never written"


def test_what_is_beaten_in_all_figures_is_not_in_the_pareto_set() -> None:
    names = ["best in one", "balanced", "worse in one", "twin of balanced"]
    first = list(zip(names, [1.0, 2.0, 3.0, 2.0], strict=True))
    rest = list(zip(names, [9.0, 2.0, 2.0, 2.0], strict=True))
    beaten = [trade_off.beaten_by(name, first, rest, rest, rest, rest) for name in names]
    assert beaten == [0, 0, 2, 0]


def test_ranks_of_two_figures_are_compared_and_not_their_values() -> None:
    def points(*values: float) -> list[tuple[str | float, float]]:
        return list(zip("abcd", values, strict=True))

    assert trade_off.rank_correlation(points(1, 2, 3, 4), points(10, 20, 30, 1000)) == pytest.approx(1)
    assert trade_off.rank_correlation(points(1, 2, 3, 4), points(4, 3, 2, 1)) == pytest.approx(-1)
    assert trade_off.rank_correlation(points(1, 2, 3, 4), points(1, 2, 4, 3)) == pytest.approx(0.8)
    assert trade_off.rank_correlation(points(1, 2, 2, 4), points(1, 2, 3, 4)) == pytest.approx(0.9487, abs=1e-4)
    with pytest.raises(ValueError, match="same values of an axis"):
        trade_off.rank_correlation(points(1, 2, 3, 4), points(1, 2, 3, 4)[::-1])


def test_a_life_is_extrapolated_from_the_most_erased_segment_at_a_share_of_it() -> None:
    run: dict[str, Any] = {
        "device": {"rated_erase_cycles": 100},
        "host": {"bytes_written_to_first_loss": 1000},
        "timeline": {"time_s": [0, 1, 2, 3, 4], "bytes_written": [0, 100, 200, 600, 1200]},
        "wear_map": {"segments_per_cell": 1, "time_s": [0, 2, 4], "erases": [[0, 0], [9, 10], [30, 60]]},
    }
    assert lifetime.extrapolated_life(run, 0.1) == pytest.approx(100 * 100 / 5)
    assert lifetime.extrapolated_life(run, 0.7) == pytest.approx(700 * 100 / 35)
    assert lifetime.extrapolated_life(run, 1.2) == pytest.approx(1200 * 100 / 60), "after the last sample: as in it"
    run["wear_map"]["segments_per_cell"] = 2
    with pytest.raises(ValueError, match="too many segments"):
        lifetime.extrapolated_life(run, 0.1)
    run["host"]["bytes_written_to_first_loss"] = None
    with pytest.raises(ValueError, match="no segment was lost"):
        lifetime.extrapolated_life(run, 0.1)
