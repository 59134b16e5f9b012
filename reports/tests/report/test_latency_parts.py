"""What response times are made of, where requests were followed."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.report.contents import Report
from ftlab.report.figures import latency_parts
from ftlab.report.load import load_report


def _unfollowed() -> sample.Json:
    document = sample.array_result()
    for key in ("parts_s", "parts_by_percentile"):
        del document["latency"]["write"][key]
    return document


def _report(folder: Path, *documents: sample.Json) -> Report:
    if len(documents) == 1:
        sample.write_json(folder / "result.json", documents[0])
    else:
        for number, document in enumerate(documents):
            sample.write_json(folder / f"run{number}" / "result.json", document)
    return load_report(folder)


def test_a_bar_for_each_percentile_shows_shares_and_its_latency(tmp_path: Path) -> None:
    (figure,) = latency_parts.make(_report(tmp_path, sample.array_result()))
    assert figure.name == "latency-write-parts"
    assert "p50: 100 %, of it cells 75%, waiting for the die 25%" in figure.alt
    assert "p99.9: 100 %, of it waiting for the die 90%, cells 10%" in figure.alt
    assert "waiting in the queue" not in str(figure.spec), "no request waited there"
    assert "'text': '4 ms'" in str(figure.spec).replace("4.00 ms", "4 ms")


def test_runs_are_told_apart_and_those_that_were_not_followed_left_out(tmp_path: Path) -> None:
    (figure,) = latency_parts.make(_report(tmp_path, sample.array_result(), sample.array_result(), _unfollowed()))
    assert "run0, p50: " in figure.alt
    assert "run1, p99.9: " in figure.alt
    assert "run2" not in figure.alt


def test_there_is_none_where_no_run_was_followed(single: Report) -> None:
    assert latency_parts.make(single) == []


@pytest.mark.parametrize("off", [0.0, 0.1])
def test_parts_that_do_not_sum_to_the_mean_are_said(tmp_path: Path, off: float) -> None:
    document = sample.array_result()
    document["latency"]["write"]["parts_s"]["die"] += off
    found = [note for note in _report(tmp_path, document).notes if "latency of writes by part" in note.text]
    assert len(found) == (1 if off else 0)
