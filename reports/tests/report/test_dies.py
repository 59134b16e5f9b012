"""Pages of parts whose dies work beside the host: its time says nothing of them, theirs does."""

from __future__ import annotations

from pathlib import Path

import pytest

import sample
from ftlab.report.contents import Report
from ftlab.report.figures import time_by_cause, wear_map
from ftlab.report.load import load_report
from ftlab.report.tables import causes, comparison


def _report(folder: Path, document: sample.Json) -> Report:
    sample.write_json(folder / "result.json", document)
    return load_report(folder)


def _rows(report: Report) -> dict[str, str]:
    return {row[0].text: row[1].text for row in comparison.make(report)[0].rows}


def test_figures_of_merit_are_those_of_dies(tmp_path: Path) -> None:
    rows = _rows(_report(tmp_path, sample.array_result()))
    assert "Share of time spent cleaning" not in rows
    assert rows["Share of the dies' working time spent cleaning"] == "66.7 %"
    assert rows["Utilization of the dies"] == "75.0 %"
    assert rows["Utilization of the channels"] == "12.5 %"


def test_bytes_for_each_byte_are_shown_where_they_differ_from_pages(tmp_path: Path, single: Report) -> None:
    document = sample.array_result()
    rows = _rows(_report(tmp_path, document))
    assert float(rows["Bytes programmed for each byte written"]) == pytest.approx(
        document["write_amplification_bytes"], abs=0.01
    )
    document["write_amplification_bytes"] = document["write_amplification"]
    assert "Bytes programmed for each byte written" not in _rows(_report(tmp_path, document))
    assert "Bytes programmed for each byte written" not in _rows(single), "a result of an older program"


def test_bytes_for_each_byte_are_shown_of_every_run_where_they_differ_in_one(tmp_path: Path) -> None:
    for name, added in (("same", 0.0), ("more", 0.5)):
        document = sample.array_result()
        document["write_amplification_bytes"] = document["write_amplification"] + added
        sample.write_json(tmp_path / name / "result.json", document)
    table = comparison.make(load_report(tmp_path))[0]
    rows = {row[0].text.rstrip(" ↓"): [cell.text for cell in row[1:]] for row in table.rows}
    (more, same), (pages, _) = rows["Bytes programmed for each byte written"], rows["Write amplification"]
    assert float(more) == pytest.approx(float(pages) + 0.5)
    assert same == pages


def test_time_is_that_of_dies(tmp_path: Path) -> None:
    report = _report(tmp_path, sample.array_result())
    (figure,) = time_by_cause.make(report)
    assert figure.name == "die-time-by-cause"
    assert [parameter["name"].isidentifier() for parameter in figure.spec["params"]] == [True]
    tables = causes.time(report)
    assert [table.name for table in tables] == ["die-time-cause-table", "die-time-operation-table"]
    assert tables[0].rows[1][1].sub == "66.7 %"


def test_sums_that_do_not_hold_are_said(tmp_path: Path) -> None:
    assert not [note for note in _report(tmp_path, sample.array_result()).notes if "dies" in note.text]
    document = sample.array_result()
    document["dies"]["time_by_operation_s"]["erase"] += 1
    (note,) = [note for note in _report(tmp_path, document).notes if "dies" in note.text]
    assert "time of dies by operation sums to" in note.text


def test_what_a_mount_took_is_a_figure_of_merit(tmp_path: Path, single: Report) -> None:
    document = sample.array_result()
    document["power_cycles"] = {"planned": 2, "losses": 2, "mounts": 2, "mount_mean_s": 0.25, "mount_max_s": 0.3}
    assert _rows(_report(tmp_path, document))["Mount after a loss of power, mean"] == "250 ms"
    del document["power_cycles"]["mount_mean_s"]
    assert "Mount after a loss of power, mean" not in _rows(_report(tmp_path, document)), "none of them mounted"
    assert "Mount after a loss of power, mean" not in _rows(single)


def test_the_rows_of_a_wear_map_are_dies(tmp_path: Path, single: Report) -> None:
    for report, one, many in ((_report(tmp_path, sample.array_result()), "die", "dies"), (single, "device", "devices")):
        (figure,) = wear_map.make(report)
        assert f"address order, {many} below each other" in figure.caption
        assert f"segments on 6 {many}" in figure.alt
        assert f"'{one} ' + " in str(figure.spec)
