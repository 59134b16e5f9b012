"""What runs differ in, and when one may be called better than another."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path

import pytest

import sample
from ftlab.report import differences, headline
from ftlab.report.blocks import Figure, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import unchecked
from ftlab.report.load import load_report
from ftlab.report.registry import fill


def folder(path: Path, **changes: sample.Json) -> Path:
    """Runs by name, each with what is changed in its configuration."""
    for name, change in changes.items():
        value = sample.result()
        for key, part in change.items():
            value["config"][key] = value["config"].get(key, {}) | part if isinstance(part, dict) else part
        sample.write_json(path / name / "result.json", value)
    return path


# Tables are what counts here; test_figures has the charts held against their schema.
@pytest.fixture(autouse=True)
def _charts_unchecked() -> Iterator[None]:
    with unchecked():
        yield


def table_of(report: Report, name: str) -> Table:
    blocks = [block for item in fill(report) for block in item.blocks]
    return next(block for block in blocks if isinstance(block, Table) and block.name == name)


def test_only_keys_that_differ_are_listed_and_the_others_counted(report: Report) -> None:
    table = table_of(report, "differences")
    assert [column.title for column in table.columns] == ["Key", *report.labels]
    assert {row[0].text: [cell.text for cell in row[1:]] for row in table.rows} == {
        "ftl.selection": ["greedy", "cost-benefit", "cat"],
        "ftl.redistribution": ["m1", "m4", "m6"],
    }
    assert "The configuration's other 10 keys are the same in all runs." in table.caption


def test_differences_stand_before_everything_else(report: Report) -> None:
    assert [block.name for block in fill(report)[0].blocks] == ["differences"]


def test_a_single_run_differs_from_nothing(single: Report) -> None:
    assert "differences" not in {block.name for item in fill(single) for block in item.blocks}


def test_overrides_and_lacking_keys_are_differences(tmp_path: Path) -> None:
    made = folder(tmp_path, a={"part_overrides": {"timing.tBERS": "1 s"}}, b={})
    table = table_of(load_report(made), "differences")
    assert [[cell.text for cell in row] for row in table.rows] == [["part_overrides.timing.tBERS", "1 s", "–"]]


def test_integers_are_written_as_such(tmp_path: Path) -> None:
    made = folder(tmp_path, a={"workload": {"total_mib": 192.0}}, b={"workload": {"total_mib": 0.5}})
    table = table_of(load_report(made), "differences")
    assert [[cell.text for cell in row] for row in table.rows] == [["workload.total_mib", "192", "0.5"]]
    assert differences.flatten({"a": [2.0, 0.5], "b": True}) == {"a": "[2, 0.5]", "b": "true"}


def test_many_runs_are_listed_downwards(tmp_path: Path) -> None:
    made = folder(tmp_path, **{f"run{n}": {"ftl": {"utilization": n / 10}} for n in range(9)})
    table = table_of(load_report(made), "differences")
    assert [column.title for column in table.columns] == ["Run", "ftl.utilization"]
    assert len(table.rows) == 9


def test_equal_runs_are_said_to_be_equal(tmp_path: Path) -> None:
    table = table_of(load_report(folder(tmp_path, a={}, b={})), "differences")
    assert table.rows == ()
    assert "Nothing: all" in table.caption


@pytest.mark.parametrize(
    ("change", "alike"),
    [
        ({"seed": 2}, True),
        ({"ftl": {"utilization": 0.5}}, True),
        ({"workload": {"total_mib": 200}}, False),
        ({"scenario_overrides": {"files": 3}}, False),
        ({"documents": {"part": {"voltage": 5}}}, True),
    ],
)
def test_runs_did_the_same_work_when_their_workloads_agree(change: sample.Json, alike: bool) -> None:
    config = sample.result()["config"]
    other = copy.deepcopy(config)
    for key, part in change.items():
        other[key] = other.get(key, {}) | part if isinstance(part, dict) else part
    assert differences.alike([config, other]) == alike


def test_a_trace_is_the_same_work_wherever_it_lies() -> None:
    here, there = ({"workload": {"kind": "trace", "sha256": "ab", "path": path}} for path in ("/a/t.gz", "/b/t.gz"))
    assert differences.alike([here, there])
    assert not differences.alike([here, {"workload": here["workload"] | {"sha256": "cd"}}])


def test_runs_of_unlike_workloads_are_not_judged(tmp_path: Path) -> None:
    for name, policy, total in (("a", sample.POLICIES[0], 192), ("b", sample.POLICIES[2], 64)):
        value = sample.result(policy)
        value["config"]["workload"]["total_mib"] = total
        sample.write_json(tmp_path / name / "result.json", value)
    report = load_report(tmp_path)
    merits = table_of(report, "figures-of-merit")
    assert {cell.tone for row in merits.rows for cell in row} == {""}
    assert "The runs did different work, so none is called better or worse." in merits.caption
    assert not {"↓", "↑"} & set("".join(row[0].text for row in merits.rows))
    cards = headline.cards(report)
    assert {card.tone for card in cards} == {""}
    assert cards[0].value == "4,138 to 8,827"
    shown = next(block for item in fill(report) for block in item.blocks if block.name == "comparison")
    assert isinstance(shown, Figure)
    assert "none is called better" in shown.caption


def test_runs_of_one_workload_are_judged(report: Report) -> None:
    assert report.comparable
    assert "good" in {cell.tone for row in table_of(report, "figures-of-merit").rows for cell in row}
