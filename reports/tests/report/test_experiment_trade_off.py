"""Experiments whose rows are weighed against each other: a table and a trade-off for each group, the Pareto set marked."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.errors import InputError
from ftlab.report import experiments
from ftlab.report.blocks import Choice, Figure, Table
from ftlab.report.load import load_report


def _blocks(folder: Path, value: sample.Json) -> list[object]:
    sample.write_json(folder / "reproduce.json", value)
    return list(experiments.make(load_report(folder)))


def test_each_group_has_its_table_and_behind_it_what_is_weighed(tmp_path: Path) -> None:
    blocks = _blocks(tmp_path, sample.weighed())
    assert [type(block) for block in blocks] == [Table, Choice, Table, Choice]
    first, choice, second, _ = blocks
    assert isinstance(first, Table)
    assert isinstance(choice, Choice)
    assert isinstance(second, Table)
    assert first.title.startswith("Every policy: NOR ")
    assert second.title.startswith("Every policy: NAND ")
    assert (first.name, second.name) == ("table-policies", "table-policies-2")
    assert (first.notes, second.notes) == (("Said once.",), ())
    assert "Write amplification, p99 and Lifetime and better in one" in first.caption
    assert second.caption == ""
    assert choice.quantities == ["Write amplification", "p99", "Lifetime"]
    assert choice.title == "Two figures against each other: NOR"


def test_rows_that_none_beats_are_marked_in_the_table(tmp_path: Path) -> None:
    table = _blocks(tmp_path, sample.weighed())[0]
    assert isinstance(table, Table)
    marked = [row[0].text for row in table.rows if row[0].tone == "strong"]
    assert marked == ["greedy ◆", "cat ◆", "fifo ◆", "in_place ◆"]
    assert [row[0].text for row in table.rows if row[0].tone != "strong"] == ["random"]


def _drawn(figure: Figure) -> list[tuple[str, str]]:
    return [(value["Policy"], value["kind"]) for value in figure.spec["data"]["values"]]


def test_rows_that_none_beats_are_drawn_in_front_in_every_pair(tmp_path: Path) -> None:
    choice = _blocks(tmp_path, sample.weighed())[1]
    assert isinstance(choice, Choice)
    for pair in choice.pairs:
        assert [kind for _, kind in _drawn(pair.figure)] == ["beaten"] + ["beaten by none"] * 4
        assert "none beats in all 3 figures" in pair.figure.caption
    assert choice.pairs[0].figure.caption.startswith("Wanted: Write amplification small and p99 small.")
    assert choice.pairs[1].figure.caption.startswith("Wanted: Write amplification small and Lifetime large.")


def test_one_point_far_out_does_not_press_the_others_together(tmp_path: Path) -> None:
    choice = _blocks(tmp_path, sample.weighed())[1]
    assert isinstance(choice, Choice)
    encoding = choice.pairs[0].figure.spec["layer"][0]["encoding"]
    assert encoding["x"]["scale"]["type"] == "log", "32 stands against 2.4 to 7.7"
    assert "type" not in encoding["y"]["scale"]


def test_a_row_without_a_figure_is_not_in_its_pairs(tmp_path: Path) -> None:
    value = sample.weighed()
    value["experiments"][0]["rows"][4]["cells"] = value["experiments"][0]["rows"][4]["cells"][1:]
    choice = _blocks(tmp_path, value)[1]
    assert isinstance(choice, Choice)
    assert [len(_drawn(pair.figure)) for pair in choice.pairs] == [4, 4, 5]


@pytest.mark.parametrize(
    ("key", "wrong"), [("over", "polcy"), ("beaten", "beatn"), ("figures", [{"quantity": "p9", "wanted": "less"}])]
)
def test_what_does_not_exist_is_not_weighed(tmp_path: Path, key: str, wrong: object) -> None:
    value = sample.weighed()
    value["experiments"][0]["trade_off"][key] = wrong
    with pytest.raises(InputError, match="reproduce.json"):
        _blocks(tmp_path, value)
