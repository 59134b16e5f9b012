"""From files to a report: what is read, what is refused, and with which words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sample
from ftlab.errors import InputError
from ftlab.report.contents import Report
from ftlab.report.load import load_report


def _refusal(directory: Path) -> str:
    with pytest.raises(InputError) as caught:
        load_report(directory)
    message = str(caught.value)
    assert "\n" not in message
    return message


def _with_result(directory: Path, change: Callable[[sample.Json], object]) -> Path:
    value = sample.result()
    change(value)
    sample.write_json(directory / "result.json", value)
    return directory


def test_a_run_has_a_short_title_and_its_device_in_the_summary(tmp_path: Path) -> None:
    value = sample.result()
    line = "TLC NAND array of 3D TLC dies at 3.3 V on real-time core at 500 MHz in an SSD controller"
    value["device"]["title"] = "TLC NAND array of 3D TLC dies"
    value["summary"] = {"device": line, "firmware": "page-mapped layer", "workload": "4 MiB"}
    sample.write_json(tmp_path / "result.json", value)
    report = load_report(tmp_path)
    assert report.title == "TLC NAND array"
    assert report.summary.startswith(f"{line}. Page-mapped layer.")


def test_study_joins_runs_in_order_with_labels(report: Report) -> None:
    assert report.labels == ["Greedy / M1", "Cost-benefit / M4", "CAT / M6"]
    assert [run.result.flash["erases"] for run in report.runs] == [8827, 5733, 4138]
    assert report.baseline == "Greedy / M1"
    assert report.reproduction is not None
    assert len(report.energy_per_mib) == 6


def test_single_run_is_labelled_by_its_directory(tmp_path: Path) -> None:
    report = load_report(_with_result(tmp_path / "cat-90", lambda _: None))
    assert report.labels == ["cat-90"]
    assert report.title == "Intel Series 2+ flash memory card, 24 MB"
    assert report.summary.startswith(
        "Intel Series 2+ flash memory card, 24 MB at 5 V on Pentium 133 with a PCIC bridge. "
    )
    assert report.energy_per_mib[0].total_j == pytest.approx(report.runs[0].result.energy.j_per_host_mib)


def test_energy_per_mib_of_a_run_sums_to_its_total(single: Report) -> None:
    row = single.energy_per_mib[0]
    assert sum(row.by_cause_j.values()) == pytest.approx(row.total_j)
    assert sum(row.by_operation_j.values()) == pytest.approx(row.total_j)


def test_folders_with_results_are_compared_without_a_study(tmp_path: Path) -> None:
    for name, policy in zip(("b", "a"), sample.POLICIES, strict=False):
        sample.write_json(tmp_path / name / "result.json", sample.result(policy))
    report = load_report(tmp_path)
    assert report.labels == ["a", "b"]
    assert report.title == "2 runs compared"
    assert report.summary.startswith(
        "Intel Series 2+ flash memory card, 24 MB at 5 V on Pentium 133 with a PCIC bridge."
    )
    assert "selection" not in report.summary, "what differs between the runs is in the table"


def test_single_run_says_what_ran_in_its_head(tmp_path: Path) -> None:
    report = load_report(_with_result(tmp_path, lambda _: None))
    titles = report.runs[0].result.titles
    assert report.summary == f"{titles.device}. {titles.firmware}. {titles.workload}."


def test_results_without_a_summary_are_titled_by_device_and_workload(tmp_path: Path) -> None:
    report = load_report(_with_result(tmp_path, lambda value: value.pop("summary")))
    assert report.title == "Intel Series 2+ flash memory card, 24 MB"
    line = "Intel Series 2+ flash memory card, 24 MB on Pentium 133 with a PCIC bridge"
    assert report.summary == f"{line}. {report.runs[0].result.workload.title}."


def test_reproduction_alone_is_a_report(tmp_path: Path) -> None:
    sample.write_json(tmp_path / "reproduce.json", sample.reproduction())
    report = load_report(tmp_path)
    assert report.runs == ()
    assert report.title == "What the papers printed, and what comes out here"


def test_unknown_keys_are_left_alone(tmp_path: Path) -> None:
    report = load_report(_with_result(tmp_path, lambda value: value["host"].update(later_key={"x": 1})))
    assert report.runs[0].result.host["requests"] == 49152


def test_missing_directory_is_refused(tmp_path: Path) -> None:
    assert "no such directory" in _refusal(tmp_path / "absent")


def test_a_file_in_place_of_its_directory_is_refused(study_dir: Path) -> None:
    said = "is no directory; give the one that ftlab wrote its results to"
    assert _refusal(study_dir / "study.json") == f"{study_dir / 'study.json'}: {said}, {study_dir}"
    (study_dir / "study.toml").touch()
    assert _refusal(study_dir / "study.toml") == f"{study_dir / 'study.toml'}: {said}"


def test_directory_without_results_is_refused(tmp_path: Path) -> None:
    assert "holds no result.json, study.json, sweep.json or reproduce.json" in _refusal(tmp_path)


def test_run_file_missing_from_study_is_named(study_dir: Path) -> None:
    (study_dir / "runs" / "1" / "result.json").unlink()
    assert str(Path("runs", "1", "result.json")) in _refusal(study_dir)


def test_truncated_file_is_refused_with_its_line(study_dir: Path) -> None:
    path = study_dir / "study.json"
    path.write_text(path.read_text(encoding="utf-8")[:400], encoding="utf-8")
    message = _refusal(study_dir)
    assert "study.json:" in message
    assert "not valid JSON" in message


def test_a_study_in_place_of_a_result_is_not_called_damaged(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('part = "array-tlc"\n', encoding="utf-8")
    assert _refusal(tmp_path).endswith("result.json: is no JSON, as what ftlab writes is; give a file that it wrote")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_bytes(b"\xff\xfe\x00\x01")
    assert "not UTF-8" in _refusal(tmp_path)


def test_nan_is_refused(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text('{"schema": NaN}', encoding="utf-8")
    assert "NaN" in _refusal(tmp_path)


def test_number_beyond_the_range_of_doubles_is_refused(tmp_path: Path) -> None:
    _with_result(tmp_path, lambda _: None)
    path = tmp_path / "result.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"supply_v": 5.0', '"supply_v": 1e999'), encoding="utf-8")
    assert "device.supply_v: is not a finite number" in _refusal(tmp_path)


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("[" * 200000, encoding="utf-8")
    assert "result.json" in _refusal(tmp_path)


@pytest.mark.parametrize("name", ["result.json", "study.json", "reproduce.json"])
def test_unknown_version_is_said(tmp_path: Path, name: str) -> None:
    values = {"result.json": sample.result(), "study.json": sample.study(), "reproduce.json": sample.reproduction()}
    sample.write_json(tmp_path / name, values[name] | {"version": 99})
    assert "version 99 is unknown, this program reads version 1" in _refusal(tmp_path)


def test_file_of_another_kind_is_said(tmp_path: Path) -> None:
    sample.write_json(tmp_path / "result.json", sample.study())
    assert "schema is 'ftlab-study', expected 'ftlab-result'" in _refusal(tmp_path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: v["energy"].pop("total_j"), "energy: key 'total_j' is missing"),
        (lambda v: v["energy"].update(total_j="much"), "energy.total_j: expected a number, found a text"),
        (lambda v: v.update(seed=-1), "seed: must be a whole number"),
        (lambda v: v.update(seed=True), "seed: expected a whole number"),
        (lambda v: v.update(wear=[]), "wear: expected an object, found an array"),
        (lambda v: v["wear"]["erase_counts"].pop(), "wear.erase_counts: has 191 entries for 192 segments"),
        (lambda v: v["wear"]["erase_counts"].__setitem__(7, 1.5), "wear.erase_counts[7]"),
        (lambda v: v["latency"]["write"]["histogram"]["counts"].pop(), "latency.write.histogram:"),
        (lambda v: v["latency"]["write"]["histogram"]["edges_s"].reverse(), "edges_s must start above 0 and ascend"),
        (lambda v: v["time"]["by_cause_s"].update(clean=None), "time.by_cause_s.clean: expected a number, found null"),
    ],
)  # fmt: skip
def test_malformed_result_names_file_and_key(
    tmp_path: Path, change: Callable[[sample.Json], object], words: str
) -> None:
    message = _refusal(_with_result(tmp_path, change))
    assert message.startswith(f"{tmp_path / 'result.json'}: ")
    assert words in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: v["runs"].clear(), "runs: is empty"),
        (lambda v: v["runs"][1].update(label="CAT / M6"), "two runs have the same label"),
        (lambda v: v.update(baseline="nobody"), "baseline: 'nobody' is not one of"),
        (lambda v: v["notes"][0].update(level="loud"), "notes[0].level: 'loud' is not one of info, warning"),
    ],
)
def test_malformed_study_names_the_key(study_dir: Path, change: Callable[[sample.Json], object], words: str) -> None:
    value = sample.study()
    change(value)
    sample.write_json(study_dir / "study.json", value)
    assert words in _refusal(study_dir)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda v: v["experiments"][0]["rows"][0]["cells"][0].update(verdict="maybe"), "'maybe' is not one of pass"),
        (lambda v: v["experiments"][0]["rows"][0]["cells"][0].update(quantity="x"), "'x' is not listed"),
        (lambda v: v["experiments"][0]["rows"][2]["keys"].pop("policy"), "rows[2].keys: key 'policy' is missing"),
        (lambda v: v["experiments"][1]["plots"][0].update(name="../../evil"), "used as a file name"),
        (lambda v: v["experiments"][1]["plots"][0]["x"].update(scale="log"), "x: expected a number, found a text"),
        (lambda v: v["experiments"][2]["plots"][0].update(kind="bar"), "must be 'category' under bars"),
        (lambda v: v["experiments"][0]["plots"][0]["series"][0]["points"][3].update(y=0), "logarithmic axis"),
        (lambda v: v["experiments"][1]["plots"][0].update(name="fms-locality-lines"), "two plots have the same name"),
        (lambda v: v["experiments"][1]["sensitivity"]["effects"][0].update(quantity="x"), "'x' is not listed"),
        (lambda v: v["experiments"][1]["sensitivity"].pop("without_effect"), "key 'without_effect' is missing"),
    ],
)  # fmt: skip
def test_malformed_reproduction_names_the_key(
    tmp_path: Path, change: Callable[[sample.Json], object], words: str
) -> None:
    value = sample.reproduction()
    change(value)
    sample.write_json(tmp_path / "reproduce.json", value)
    assert words in _refusal(tmp_path)


def test_broken_balance_is_a_warning_on_the_page(tmp_path: Path) -> None:
    report = load_report(_with_result(tmp_path, lambda v: v["time"]["by_cause_s"].update(host=0.0)))
    warnings = [note.text for note in report.notes if note.level == "warning"]
    assert len(warnings) == 1
    assert "time by cause sums to" in warnings[0]


def test_wrong_reads_and_failed_requests_are_warnings(tmp_path: Path) -> None:
    report = load_report(_with_result(tmp_path, lambda v: v["host"].update(wrong_reads=2, failed_requests=3)))
    texts = " ".join(note.text for note in report.notes)
    assert "2 reads returned wrong data" in texts
    assert "refused 3 requests." in texts
    report = load_report(_with_result(tmp_path, lambda v: v["host"].update(wrong_reads=1, failed_requests=1)))
    texts = " ".join(note.text for note in report.notes)
    assert "1 read returned wrong data" in texts
    assert "refused 1 request." in texts


@pytest.mark.parametrize(
    ("losses", "said"),
    [(1, "2 planned losses of power behind"), (2, "1 planned loss of power behind"), (3, "")],
)
def test_losses_of_power_behind_the_end_are_noted(tmp_path: Path, losses: int, said: str) -> None:
    planned = {"planned": 3, "losses": losses, "mounts": losses}
    notes = load_report(_with_result(tmp_path, lambda v: v.update(power_cycles=planned))).notes
    assert [said in note.text for note in notes] == ([True] if said else [])


def test_sound_results_bring_no_warning(single: Report) -> None:
    assert single.notes == ()


def test_documented_example_keys_are_the_ones_read() -> None:
    """docs/results.md names every schema and version that the readers accept."""
    text = (Path(__file__).parents[3] / "docs" / "results.md").read_text(encoding="utf-8")
    for schema in ("ftlab-result", "ftlab-study", "ftlab-reproduce"):
        assert f"`{schema}` 1" in text
    missing = [key for key in _keys(sample.result()) | _keys(sample.study()) if key not in text]
    assert not missing


def _keys(value: object, depth: int = 0) -> set[str]:
    """Keys that the format fixes: not those inside configurations and maps by name."""
    if isinstance(value, list):
        return _keys(value[0], depth) if value else set()
    if not isinstance(value, dict):
        return set()
    found = set(value)
    for key, item in value.items():
        if key != "config" and not key.startswith("by_") and key != "work":
            found |= _keys(item, depth + 1)
    return found


def test_result_json_of_the_sample_is_plain_json() -> None:
    assert json.loads(json.dumps(sample.result())) == sample.result()


def test_a_run_that_ended_early_is_a_warning(tmp_path: Path) -> None:
    def worn(value: sample.Json) -> None:
        value["host"]["ended_early"] = True
        value["host"]["end_reason"] = "the device is worn out"

    report = load_report(_with_result(tmp_path, worn))
    assert any("the device is worn out" in note.text for note in report.notes)
