"""Several folders on one page, and the run that the others are compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.commands import main
from ftlab.errors import InputError
from ftlab.report.folder import distinct_names
from ftlab.report.load import load_report
from ftlab.report.tables import comparison


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    for name, policy in zip(("monday", "friday"), sample.POLICIES, strict=False):
        sample.write_json(tmp_path / name / "result.json", sample.result(policy))
    return tmp_path / "monday", tmp_path / "friday"


def test_runs_of_several_folders_are_on_one_page(two: tuple[Path, Path]) -> None:
    report = load_report(*two)
    assert report.labels == ["monday", "friday"]
    assert report.baseline == "monday"
    assert report.title == "2 runs compared"
    assert [row.label for row in report.energy_per_mib] == ["monday", "friday"]


def test_page_of_several_folders_lies_in_the_first(two: tuple[Path, Path], tmp_path: Path) -> None:
    assert main(["report", *map(str, two)]) == 0
    assert (two[0] / "report.html").exists()
    assert not (two[1] / "report.html").exists()
    assert main(["report", *map(str, two), "--out", str(tmp_path / "both.html")]) == 0
    assert (tmp_path / "both.html").exists()
    assert main(["report", *map(str, two), "--out", str(tmp_path / "week")]) == 0
    assert (tmp_path / "week.html").exists()
    assert not (tmp_path / "week").exists()


@pytest.mark.parametrize("words", [[""], ["out", "--out", ""]])
def test_an_empty_name_is_no_folder(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *words]) == 2
    assert ": must not be empty; see `ftlab report --help`" in capsys.readouterr().err


def test_a_page_replaces_a_page_and_nothing_else(
    two: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, study = tmp_path / "page.htm", tmp_path / "study.toml"
    for _ in range(2):
        assert main(["report", str(two[0]), "--out", str(page)]) == 0
    study.write_text("seed = 1\n", encoding="utf-8")
    assert main(["report", str(two[0]), "--out", str(study)]) == 2
    assert study.read_text(encoding="utf-8") == "seed = 1\n"
    assert f"{study}: is there already, and is no page; name another file with --out" in capsys.readouterr().err


def test_labels_of_studies_carry_their_folder(tmp_path: Path) -> None:
    studies = [sample.write_study(tmp_path / name) for name in ("old", "new")]
    report = load_report(*studies)
    assert len(report.runs) == len(set(report.labels)) == 6
    assert report.labels[0] == "old / Greedy / M1"
    assert report.baseline == "old / Greedy / M1"
    assert {row.label for row in report.energy_per_mib} == set(report.labels)
    texts = [note.text for note in report.notes]
    assert "The comparison with the papers is that of old; not shown: new." in texts


def test_folders_of_one_name_are_told_apart_by_those_above_them() -> None:
    assert distinct_names([Path("/x/a/out"), Path("/x/b/out")]) == ["a/out", "b/out"]
    assert distinct_names([Path("/x/a"), Path("/x/b")]) == ["a", "b"]
    with pytest.raises(InputError, match="the same folder is given twice"):
        distinct_names([Path("/x/a"), Path("/x/b/../a")])


def test_baseline_can_be_chosen(study_dir: Path) -> None:
    report = load_report(study_dir, baseline="CAT / M6")
    assert report.baseline == "CAT / M6"
    assert "Small: against CAT / M6." in comparison.make(report)[0].caption


def test_slip_in_a_baseline_is_one_line_with_the_nearest(study_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(study_dir), "--baseline", "CAT / M5"]) == 2
    message = capsys.readouterr().err
    assert message == "ftlab: error: --baseline CAT / M5: no run has that label; did you mean 'CAT / M6'?\n"
    assert not (study_dir / "report.html").exists()


def test_baseline_that_resembles_none_is_answered_with_all(study_dir: Path) -> None:
    with pytest.raises(InputError, match=r"there are Greedy / M1, Cost-benefit / M4, CAT / M6"):
        load_report(study_dir, baseline="xyz")


def test_baseline_of_a_page_without_runs_is_refused(tmp_path: Path) -> None:
    sample.write_json(tmp_path / "reproduce.json", sample.reproduction())
    with pytest.raises(InputError, match="has no runs to compare"):
        load_report(tmp_path, baseline="a")
