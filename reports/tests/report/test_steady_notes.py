"""Runs that have not come to rest are named over the page."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.report.load import load_report


def _texts(folder: Path, *states: sample.Json | None, written: bool = True) -> list[str]:
    for index, state in enumerate(states):
        value = sample.result()
        value["steady_state"] = {"write_amplification": [1.5, 1.6]} | (state or {})
        if not written:
            value["host"]["bytes_written"] = 0
        sample.write_json(folder / f"run-{index}" / "result.json", value)
    return [note.text for note in load_report(folder).notes if "steady state" in note.text]


def test_a_run_at_rest_needs_no_note(tmp_path: Path) -> None:
    assert _texts(tmp_path, {"reached": True, "drift": 0.001}, None) == []


def test_what_is_not_written_never_comes_to_rest(tmp_path: Path) -> None:
    assert _texts(tmp_path, {"reached": False}, written=False) == []


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"reached": False}, "Not known to be in steady state, for too few overwrites."),
        (
            {"reached": False, "drift": -0.125},
            "Not in steady state: write amplification changed over the last overwrites by 12.5 %.",
        ),
    ],
)
def test_a_run_alone_is_not_named(tmp_path: Path, state: sample.Json, said: str) -> None:
    assert _texts(tmp_path, state) == [said]


def test_of_several_runs_those_that_drift_are_named(tmp_path: Path) -> None:
    drifting = {"reached": False, "drift": 0.02}
    assert _texts(tmp_path, drifting, {"reached": True, "drift": 0.0}, {"reached": False}, drifting) == [
        "Not known to be in steady state, for too few overwrites: run-2.",
        "Not in steady state, write amplification changed over the last overwrites: run-0 by 2.0 %; run-3 by 2.0 %.",
    ]
