"""The main study, on a workload small enough for a test."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from ftlab import main_study
from ftlab.commands import main
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.spec import Experiment
from program import needs_program

pytestmark = needs_program


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    def shorter(name: str) -> Experiment:
        experiment = experiment_named(name)
        less = {"workload.total_mib": 12, "platform.store_content": False}
        return dataclasses.replace(experiment, study=experiment.study | less)

    monkeypatch.setattr(main_study, "experiment_named", shorter)
    monkeypatch.delenv("FTLAB_TRACE_DIR", raising=False)


@pytest.mark.shared
@pytest.mark.usefixtures("quick")
def test_without_the_trace_a_workload_stands_in_and_the_page_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["main-study", "--out", str(out)]) == 0
    study = json.loads((out / "study.json").read_text())
    assert [run["label"] for run in study["runs"]] == ["Greedy / M1", "Cost-benefit / M4", "CAT / M6"]
    assert study["runs"][0]["result"] == "greedy-m1-5v/result.json"
    assert study["notes"][0]["level"] == "warning"
    assert "Give it with --trace FILE" in study["notes"][0]["text"]
    assert len(study["energy_per_mib"]) == 6
    supplies = {row["supply_v"] for row in study["battery"]["rows"]}
    assert supplies == {5.0, 3.3}
    reproduced = json.loads((out / "reproduce.json").read_text())
    table = next(part for part in reproduced["experiments"] if part["name"] == "fms-table4")
    assert {row["keys"]["machine"] for row in table["rows"]} == {"Pentium 133"}
    page = (out / "report.html").read_text()
    said = capsys.readouterr().out
    assert "CAT / M6" in said
    assert "These statements are about the HP trace hplajw, for which a generated workload stands in here.\n" in said
    assert "about the HP trace hplajw, for which a generated workload stands in here" in page


def test_a_trace_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["main-study", "--trace", "none.srt"]) == 2
    assert capsys.readouterr().err == "ftlab: error: --trace none.srt: no such file\n"
