"""Means over seeds, deviations from the paper, verdicts."""

from __future__ import annotations

import pytest

from ftlab.reproduce.cells import cell, overall
from ftlab.reproduce.samples import NoInterval, Samples, Summary, deviation, interval, lifted, summarized
from ftlab.reproduce.spec import Quantity, Tolerance
from ftlab.sweeps.table import half_width_95

ONE_PERCENT = Tolerance({}, "e", relative=True, value=0.01, nth=0)
ONE = Tolerance({}, "e", relative=False, value=1, nth=0)
E = Quantity("e", "E", "", 0, (), "", relative=True)


def test_sample_standard_deviation_and_error_match_the_textbook() -> None:
    values = Samples([2, 4, 4, 4, 5, 5, 7, 9])
    assert deviation(values) == pytest.approx(2.13809, abs=1e-5)
    assert summarized(values).mean == 5
    assert summarized(values).standard_error == pytest.approx(0.755929, abs=1e-6)


@pytest.mark.parametrize("count", [2, 3, 4, 11, 12, 40])
def test_an_interval_is_that_of_students_t(count: int) -> None:
    values = [float(value % 7) for value in range(count)]
    assert interval(values) == pytest.approx(half_width_95(values), rel=2e-4)


def test_a_single_value_has_no_interval_and_counts_as_zero() -> None:
    found = interval([3.0])
    assert isinstance(found, NoInterval)
    assert found + 1 == 1


def test_one_value_or_one_for_all_seeds_has_no_spread() -> None:
    assert summarized(Samples([3])) == Summary(3.0, None)
    assert summarized(3) == Summary(3.0, None)


def test_functions_are_lifted_seed_by_seed() -> None:
    assert lifted(lambda a, b: a + b, Samples([1, 2]), 10) == [11, 12]
    assert lifted(lambda a, b: a + b, 1, 10) == 11


def test_a_cell_passes_up_to_tolerance_plus_two_standard_errors() -> None:
    assert cell(E, 100, summarized(100.9), ONE_PERCENT, "")["verdict"] == "pass"
    assert cell(E, 100, summarized(101.5), ONE_PERCENT, "")["verdict"] == "fail"
    noisy = cell(E, 100, summarized(Samples([100.5, 102.5])), ONE_PERCENT, "")
    assert noisy["verdict"] == "pass"
    assert noisy["allowed"] == pytest.approx(0.03)
    assert noisy["deviation"] == pytest.approx(0.015)


def test_a_published_zero_is_compared_absolutely() -> None:
    found = cell(E, 0, summarized(0), ONE, "")
    assert (found["deviation_kind"], found["verdict"]) == ("absolute", "pass")
    assert cell(E, 0, summarized(2), ONE, "")["verdict"] == "fail"
    assert cell(E, 0, summarized(2), ONE_PERCENT, "")["deviation_kind"] == "absolute"


def test_without_tolerance_or_paper_value_a_cell_is_reported() -> None:
    unpublished = cell(E, None, summarized(5), None, "")
    assert (unpublished["verdict"], unpublished["deviation"], unpublished["allowed"]) == ("reported", None, None)
    unjudged = cell(E, 4, summarized(5), None, "a note")
    assert (unjudged["verdict"], unjudged["deviation"], unjudged["note"]) == ("reported", 0.25, "a note")


def test_one_failing_cell_fails_the_whole_and_reported_cells_do_not_count() -> None:
    def rows(*verdicts: str) -> list[dict[str, object]]:
        return [{"cells": [{"verdict": verdict}]} for verdict in verdicts]

    assert overall(rows("pass", "fail", "reported")) == "fail"
    assert overall(rows("pass", "reported")) == "pass"
    assert overall(rows("reported")) == "reported"
