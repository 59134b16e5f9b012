"""A journal that was cut off anywhere returns what was whole in it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftlab.errors import InputError
from ftlab.sweeps.journal import Journal, Outcome, run_key

_WANTED = {"program": "p", "study": "s", "inputs": "i"}


def _written(folder: Path) -> dict[str, Outcome]:
    journal = Journal(folder, _WANTED)
    journal.add("a", Outcome({"flash.erases": 3.0}))
    journal.add("b", Outcome({}, reason="no such part"))
    journal.add("c", Outcome({"flash.erases": 4.5}, ended_early=True))
    journal.close()
    return journal.outcomes


def _read(folder: Path) -> dict[str, Outcome]:
    journal = Journal(folder, _WANTED)
    journal.close()
    return journal.outcomes


def test_outcomes_come_back(tmp_path: Path) -> None:
    assert _written(tmp_path) == _read(tmp_path)


def test_cut_off_anywhere_it_keeps_whole_lines_and_goes_on(tmp_path: Path) -> None:
    outcomes = _written(tmp_path)
    file = tmp_path / "runs.jsonl"
    whole = file.read_bytes()
    for length in range(len(whole) + 1):
        file.write_bytes(whole[:length])
        journal = Journal(tmp_path, _WANTED)
        assert journal.outcomes.items() <= outcomes.items()
        assert len(journal.outcomes) == max(0, whole[:length].count(b"\n") - 1)
        journal.add("d", Outcome({"x": 1.0}))
        journal.close()
        assert _read(tmp_path)["d"] == Outcome({"x": 1.0})


def test_runs_of_something_else_are_refused_unless_it_starts_over(tmp_path: Path) -> None:
    _written(tmp_path)
    with pytest.raises(InputError, match="holds runs of another study; .* --force"):
        Journal(tmp_path, _WANTED | {"study": "t"})
    with pytest.raises(InputError, match="another build of ftlab"):
        Journal(tmp_path, _WANTED | {"program": "q"})
    journal = Journal(tmp_path, _WANTED | {"program": "q", "study": "t"}, start_over=True)
    assert journal.outcomes == {}
    journal.close()


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    for text in ("notes of mine\n", "notes of mine", "[1]\n", '{"a": 1}\n', '{"ftlab-sweep": 2}\n'):
        (tmp_path / "runs.jsonl").write_text(text)
        with pytest.raises(InputError, match="is no journal"):
            Journal(tmp_path, _WANTED)
        assert (tmp_path / "runs.jsonl").read_text() == text


def test_what_the_machine_did_to_a_run_is_not_kept(tmp_path: Path) -> None:
    journal = Journal(tmp_path, _WANTED)
    journal.add("a", Outcome({}, reason="ended by signal 9", lasts=False))
    assert "a" in journal.outcomes
    journal.close()
    assert _read(tmp_path) == {}


def test_two_sweeps_at_once_in_one_folder_are_refused(tmp_path: Path) -> None:
    journal = Journal(tmp_path, _WANTED)
    with pytest.raises(InputError, match="another sweep is running there"):
        Journal(tmp_path, _WANTED)
    journal.close()


def test_a_run_is_known_by_its_settings_in_any_order() -> None:
    assert run_key({"a": 1, "b": 2.5}, 3) == run_key({"b": 2.5, "a": 1}, 3)
    assert run_key({"a": 1}, 3) != run_key({"a": 1}, 4)
    assert json.loads(run_key({"a": 1}, 3)) == [[["a", 1]], 3]
