"""One study with several seeds: the first result, and what all of them say together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ftlab
from ftlab.commands import main
from ftlab.seeds import ensemble_of
from program import needs_program

pytestmark = needs_program

_STUDY = 'part = "series2plus-4mb"\n[ftl]\nutilization = 0.8\n[workload]\ntotal_mib = {mib}\n'
_WEAK = "[part_overrides.endurance]\nrated = 3\nmedian = 4\n"


def _run(folder: Path, text: str, *more: str) -> tuple[int, dict[str, Any]]:
    study = folder / "study.toml"
    study.write_text(text)
    status = main(["seeds", str(study), "--seeds", "2", "--seed", "1", "--out", str(folder / "out"), *more])
    document: dict[str, Any] = json.loads((folder / "out" / "result.json").read_text())
    return status, document


def test_an_ensemble_is_the_first_run_with_means_and_intervals(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, document = _run(tmp_path, _STUDY.format(mib=1), "--set", "ftl.selection=greedy")
    assert status == 0
    runs = [ftlab.run(tmp_path / "study.toml", ftl__selection="greedy", seed=seed) for seed in (1, 2)]
    first = dict(runs[0].json)
    assert {key: document[key] for key in document if key not in ("ensemble", "run")} == {
        key: first[key] for key in first if key != "run"
    }
    assert document["ensemble"]["seeds"] == [1, 2]
    erases = document["ensemble"]["figures"]["flash.erases"]
    assert erases["mean"] == (runs[0].flash.erases + runs[1].flash.erases) / 2
    assert erases["low"] <= erases["mean"] <= erases["high"]
    assert not any(path.startswith(("device.", "host.")) for path in document["ensemble"]["figures"])
    out = capsys.readouterr().out
    assert "95 % interval" in out
    assert f"Report:  ftlab report {tmp_path / 'out'}" in out


def test_runs_that_end_early_show_in_the_status_and_mixed_ones_carry_a_warning(tmp_path: Path) -> None:
    status, document = _run(tmp_path, _STUDY.format(mib=100) + _WEAK)
    assert status == 3
    assert document["ensemble"]["ended_early"] == 2
    assert document["ensemble"]["warnings"] == [], "all of them ended so"
    lengths = [ftlab.run(tmp_path / "study.toml", seed=seed).host.bytes_written for seed in (1, 2)]
    assert lengths[0] != lengths[1]
    status, mixed = _run(tmp_path, _STUDY.format(mib=sum(lengths) / 2 / 1024**2) + _WEAK)
    assert status == 3
    assert mixed["ensemble"]["ended_early"] == 1
    assert mixed["ensemble"]["warnings"][0].startswith("1 of 2 runs ended early")


def test_a_study_that_is_refused_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study = tmp_path / "study.toml"
    study.write_text(_STUDY.format(mib=1).replace("0.8", "8"))
    assert main(["seeds", str(study), "--seeds", "2", "--seed", "1", "--out", str(tmp_path / "out")]) == 2
    assert "ftl.utilization" in capsys.readouterr().err


def test_a_figure_that_one_run_lacks_has_no_mean() -> None:
    def document(erases: int | None) -> dict[str, Any]:
        return {"run": {}, "host": {"ended_early": False}, "flash": {"erases": erases, "pages_copied": 1}}

    figures = ensemble_of([document(1), document(None)], [1, 2])["ensemble"]["figures"]
    assert list(figures) == ["flash.pages_copied"]
