"""What functions cost, and `ftlab profile`, which says it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sample
from ftlab.commands import main
from ftlab.profile.calls import by_cause, functions_of
from ftlab.profile.folded import parse_profile

PROFILE = parse_profile(sample.FOLDED.splitlines(), "sample")


def test_functions_cost_by_themselves_and_with_what_they_call() -> None:
    costs = [(one.name, one.executing, one.waiting, one.total) for one in functions_of(PROFILE)]
    assert costs == [
        ("serve", 1000, 0, 2000),
        ("copy", 300, 240, 540),
        ("ftlab::write", 460, 0, 1000),
        ("clean", 0, 0, 100),
        ("reset", 0, 0, 2000),
    ]
    assert sum(one.own for one in functions_of(PROFILE)) == 2000


def test_a_function_that_calls_itself_counts_once_and_callers_and_callees_add_up() -> None:
    for one in functions_of(PROFILE):
        assert sum(one.callers.values()) == one.total
        assert sum(one.callees.values()) + one.own == one.total
    write = next(one for one in functions_of(PROFILE) if one.name == "ftlab::write")
    assert write.callers == {"serve": 1000}
    assert write.callees == {"copy": 540}


def test_causes_hold_all_cycles() -> None:
    causes = by_cause(PROFILE)
    assert {name: (one.executing, one.waiting, one.asleep) for name, one in causes.items()} == {
        "host": (1700, 200, 8000),
        "clean": (60, 40, 0),
    }


def test_the_command_lists_causes_and_functions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = sample.write_profiled(tmp_path)
    assert main(["profile", str(folder)]) == 0
    text = capsys.readouterr().out
    assert "host requests      1,700      200   8,000  9,900  99.0 %" in text
    assert "      540      240  27.0 %           540   27.0 %  copy" in text
    assert main(["profile", str(folder / "cycles.folded")]) == 0
    assert capsys.readouterr().out == text
    assert main(["profile", str(folder), "--top", "1"]) == 0
    assert "copy" not in capsys.readouterr().out


def test_the_command_names_callers_and_callees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(sample.write_profiled(tmp_path)), "--function", "wri"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "ftlab::write: 1,000 awake cycles"
    sides = [line.strip() for line in lines if "%" in line]
    assert sides == ["1,000  100.0 %  serve", "540  54.0 %  copy", "460  46.0 %  (itself)"]


def test_a_program_gets_every_function(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(sample.write_profiled(tmp_path)), "--json", "--top", "1"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cycles"] == 10_000
    assert document["by_cause"]["clean"] == {"executing": 60, "waiting": 40, "asleep": 0}
    assert len(document["functions"]) == 5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--function", "ftlab::wrte"],
            "--function ftlab::wrte: no function of the profile; did you mean 'ftlab::write'?",
        ),
        (["--top", "0"], "--top 0: must be a whole number from 1 on"),
    ],
)
def test_mistakes_are_one_line(words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(sample.write_profiled(tmp_path)), *words]) == 2
    assert capsys.readouterr().err == f"ftlab: error: {said}\n"


def test_a_result_without_a_profile_says_how_to_get_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.write_json(tmp_path / "result.json", sample.core_result())
    assert main(["profile", str(tmp_path)]) == 2
    assert "result.json: names no profile; run the study with --profile FILE" in capsys.readouterr().err
