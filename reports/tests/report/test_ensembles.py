"""Runs with several seeds: means stand wherever the ensemble has them, and the page says so."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.report import headline
from ftlab.report.contents import Report
from ftlab.report.load import load_report
from ftlab.report.tables import comparison, latency


@pytest.fixture
def report(tmp_path: Path) -> Report:
    value = sample.result()
    value["ensemble"] = {
        "seeds": [1, 2, 3],
        "ended_early": 1,
        "warnings": ["some runs ended early and others did not"],
        "figures": {
            "flash.erases": {"mean": 4100.0, "stddev": 20.0, "low": 4050.0, "high": 4150.0},
            "latency.write.p99_s": {"mean": 1.5, "stddev": 0.1, "low": 1.25, "high": 1.75},
        },
    }
    sample.write_json(tmp_path / "result.json", value)
    return load_report(tmp_path)


def test_tiles_and_tables_show_means_and_not_the_first_seed(report: Report) -> None:
    cards = {card.title: card.value for card in headline.cards(report)}
    assert cards["Segments erased"] == "4,100"
    assert cards["Write latency, 99th percentile"] == "1.50 s"
    table = comparison.make(report)[0]
    row = next(row for row in table.rows if row[0].text == "Segments erased")
    assert (row[1].text, row[1].sub) == ("4,100", "4,050 to 4,150")
    assert "Means of 3 seeds" in table.caption
    assert not any(row[0].text.startswith("Share of time") for row in table.rows), "an ensemble has no mean of it"


def test_response_times_are_means(report: Report) -> None:
    cells = latency.make(report)[0].rows[0]
    assert (cells[5].text, cells[5].sub) == ("1.50 s", "1.25 s to 1.75 s")


def test_page_says_how_many_seeds_and_what_is_of_the_first(report: Report) -> None:
    texts = {note.level: note.text for note in report.notes}
    assert texts["info"].startswith("3 seeds were run. ")
    assert "of the first seed" in texts["info"]
    assert texts["warning"].endswith(": some runs ended early and others did not")


def _with_erases(folder: Path, name: str, mean: float, half: float, seeds: int = 3) -> None:
    """A run of `seeds` seeds; of one seed the mean is its own figure."""
    value = sample.result()
    value["flash"]["erases"] = int(mean)
    if seeds > 1:
        span = {"mean": mean, "stddev": 1.0, "low": mean - half, "high": mean + half}
        value["ensemble"] = {
            "seeds": list(range(1, seeds + 1)), "ended_early": 0, "warnings": [], "figures": {"flash.erases": span},
        }  # fmt: skip
    sample.write_json(folder / name / "result.json", value)


@pytest.mark.parametrize(
    ("half", "seeds", "tone"),
    [
        (10, 3, "good"),  # 3980 to 4000 beside 4100 to 4200
        (109, 3, "good"),
        (110, 3, ""),  # the ends meet
        (200, 3, ""),
        (0, 1, "good"),  # one seed outside the baseline's interval
    ],
)
def test_overlapping_intervals_call_neither_run_better(tmp_path: Path, half: float, seeds: int, tone: str) -> None:
    _with_erases(tmp_path, "a", 4150, 50)
    _with_erases(tmp_path, "b", 3990, half, seeds)
    report = load_report(tmp_path)
    assert report.baseline == "a"
    table = comparison.make(report)[0]
    row = next(row for row in table.rows if row[0].text.startswith("Segments erased"))
    assert row[2].tone == tone
    assert row[2].sub.startswith("−3.9 %")
    assert next(card.tone for card in headline.cards(report) if card.title == "Segments erased") == tone
    assert "Where an interval overlaps that of a, neither run is called better." in table.caption


def test_a_mean_of_counts_is_not_rounded_to_one(tmp_path: Path) -> None:
    _with_erases(tmp_path, "a", 2.5, 0.25)
    _with_erases(tmp_path, "b", 3, 0, seeds=1)
    rows = comparison.make(load_report(tmp_path))[0].rows
    row = next(row for row in rows if row[0].text.startswith("Segments erased"))
    assert (row[1].text, row[1].sub) == ("2.50", "2.25 to 2.75")
    assert (row[2].text, row[2].sub) == ("3", "+20.0 %")


def test_one_seed_within_the_interval_of_the_baseline_is_not_worse(tmp_path: Path) -> None:
    _with_erases(tmp_path, "a", 4150, 50)
    _with_erases(tmp_path, "b", 4190, 0, seeds=1)
    row = next(
        row for row in comparison.make(load_report(tmp_path))[0].rows if row[0].text.startswith("Segments erased")
    )
    assert row[2].tone == ""
