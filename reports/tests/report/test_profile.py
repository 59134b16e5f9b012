"""A run with a profile: its flame graph, its functions, its cycles a request."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

import sample
from ftlab.report.contents import Report
from ftlab.report.figures import flame
from ftlab.report.load import load_report
from ftlab.report.registry import fill
from ftlab.report.tables import profile


@pytest.fixture(scope="module")
def profiled(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return load_report(sample.write_profiled(tmp_path_factory.mktemp("profiled")))


def test_bars_lie_within_their_callers_and_are_as_wide_as_their_cycles(profiled: Report) -> None:
    (figure,) = flame.make(profiled)
    records = figure.spec["data"]["values"]
    assert [(one["row"], one["function"], one["from"], one["to"], one["own"]) for one in records] == [
        (0, "all awake cycles", 0, 2000, 0),
        (1, "cleaning", 0, 100, 0),
        (2, "reset", 0, 100, 0),
        (3, "serve", 0, 100, 0),
        (4, "ftlab::write", 0, 100, 0),
        (5, "clean", 0, 100, 0),
        (6, "ftlab::write", 0, 100, 60),
        (7, "copy", 0, 40, 0),
        (8, "waits", 0, 40, 40),
        (1, "host requests", 100, 2000, 0),
        (2, "reset", 100, 2000, 0),
        (3, "serve", 100, 2000, 1000),
        (4, "ftlab::write", 100, 1000, 400),
        (5, "copy", 100, 600, 300),
        (6, "waits", 100, 300, 200),
    ]
    assert "80.0 % of the time the core slept" in figure.caption


def test_bars_too_narrow_to_be_seen_are_left_out(profiled: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flame, "LEAST_SHARE", 0.06)
    (figure,) = flame.make(profiled)
    names = [one["function"] for one in figure.spec["data"]["values"]]
    assert names == ["all awake cycles", "host requests", "reset", "serve", "ftlab::write", "copy", "waits"]


def test_tables_hold_cycles_a_request_and_the_dearest_functions(profiled: Report) -> None:
    run = profiled.runs[0]
    result = dataclasses.replace(run.result, host=run.result.host | {"requests": 10.0})
    report = dataclasses.replace(profiled, runs=(dataclasses.replace(run, result=result),))
    (cycles,) = profile.cycles(report)
    assert [[cell.text for cell in row] for row in cycles.rows] == [
        ["host requests", "170", "20", "800", "990"],
        ["cleaning", "6", "4", "", "10"],
        ["all", "176", "24", "800", "1,000"],
    ]
    (functions,) = profile.functions(report)
    assert [cell.text for cell in functions.rows[1]] == ["copy", "540", "240", "540", "ftlab::write"]
    assert functions.rows[1][1].sub == "27.0 %"


def test_each_profiled_run_of_several_has_its_own(tmp_path: Path) -> None:
    folders = [sample.write_profiled(tmp_path / name) for name in ("a", "b")]
    sample.write_json(tmp_path / "native" / "result.json", sample.result())
    report = load_report(folders[0], tmp_path / "native", folders[1])
    section = next(item for item in fill(report) if item.section.name == "core-section")
    assert [block.title for block in section.blocks if block.name != "core"] == [
        "Cycles a request, a", "Cycles a request, b",
        "Calls of the simulated core, a", "Calls of the simulated core, b",
        "Functions that cost most by themselves, a", "Functions that cost most by themselves, b",
    ]  # fmt: skip


def test_a_profile_that_is_gone_or_of_another_run_is_a_note(tmp_path: Path) -> None:
    folder = sample.write_profiled(tmp_path / "arm")
    (folder / "cycles.folded").unlink()
    report = load_report(folder)
    assert report.notes[-1].text == f"arm: its profile is gone: {folder}/cycles.folded."
    assert flame.make(report) == []
    assert profile.cycles(report) == profile.functions(report) == []
