"""What drives stand on is said before anything runs, with its source, and stands on the page."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiment_file import SMALL

from ftlab.commands import main
from ftlab.errors import InputError
from ftlab.program import listing
from ftlab.reproduce.document import document_of, inputs_of_all
from ftlab.reproduce.inputs import inputs_text
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.read import read_experiment
from program import needs_program

pytestmark = needs_program


def test_every_number_of_part_and_host_is_there_with_its_source_and_mark() -> None:
    experiment = experiment_named("drives-zn540-fit")
    said = {(one["group"], one["name"]): one for one in inputs_of_all([experiment])}
    for kind, name in (("parts", "ssd-zn540-class"), ("hosts", "ssd-controller")):
        for row in listing(kind, name):
            one = said[name, row["key"]]
            assert one["source"] == row["source"] != ""
            assert one.get("note", "") == row["mark"]
    assert said["ssd-zn540-class", "timing.read_part"]["value"] == 50
    assert said["ssd-zn540-class", "erase_steps.share_5"]["value"].startswith("0 0")
    changed = said["drives-zn540-fit", "link.front_read"]
    assert (changed["value"], changed["unit"]) == ("7.5 us", "")
    assert all(one in document_of([experiment], [])["parameters"] for one in said.values())


def test_a_number_that_rows_change_names_all_of_them_in_its_unit() -> None:
    said = {(one["group"], one["name"]): one for one in inputs_of_all([experiment_named("drives-bus")])}
    rate = said["drives-bus", "channel.rate"]
    assert (rate["value"], rate["unit"]) == ("533, 1200, 2000, 2400", "MB/s")


def test_they_are_printed_before_the_cells_and_lists_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    quick = ["--seeds", "1", "--no-vary", "--set", "workload.total_mib=2"]
    main(["reproduce", "drives-planes", *quick, "--out", str(tmp_path)])
    printed = capsys.readouterr().out
    places = [printed.index(text) for text in ("channel.rate", "drives-planes", "Seeds:", "Statement")]
    assert places == sorted(places)
    assert "channel.rate" not in printed[places[2] :]
    text = inputs_text(inputs_of_all([experiment_named("drives-bus")]))
    assert text.index("channel.rate") < text.index("Values") < text.index("erase_steps.cycles")


def test_other_papers_say_nothing_before() -> None:
    assert inputs_of_all([experiment_named("fms-table4")]) == []


def test_a_file_that_no_study_has_is_refused(tmp_path: Path) -> None:
    (tmp_path / "paper.toml").write_text('inputs = ["part", "core"]\n')
    (tmp_path / "small.toml").write_text(SMALL)
    with pytest.raises(InputError, match=r"paper.toml:1: inputs: core is none of part, host"):
        read_experiment(tmp_path / "small.toml", "small")
