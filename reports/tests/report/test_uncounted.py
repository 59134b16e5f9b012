"""Runs of a firmware that counts nothing for results: what only it could say is absent, and no page shows a number for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import sample
from ftlab.report.load import load_report
from ftlab.report.metrics import metric
from ftlab.report.registry import figures_of, fill
from ftlab.report.tables import provenance


def _uncounted() -> dict[str, Any]:
    result = sample.result()
    del (
        result["write_amplification"],
        result["firmware"],
        result["flash"]["pages_copied"],
        result["flash"]["pages_padded"],
    )
    del result["host"]["pages_written"], result["host"]["pages_read"], result["workload"]["utilization"]
    result["write_amplification_bytes"] = 1.5
    return result


def test_page_of_such_a_run_lacks_what_was_not_counted(tmp_path: Path) -> None:
    sample.write_json(tmp_path / "result.json", _uncounted())
    report = load_report(tmp_path)
    run = report.runs[0].result
    assert metric("write_amplification").mean_text(run) == ""
    assert metric("copied").mean_text(run) == ""
    assert metric("erases").mean_text(run) != ""
    assert run.write_amplification_bytes == 1.5
    assert "cleanings" not in run.firmware
    assert figures_of(fill(report))


def test_provenance_says_that_the_utilization_is_unknown(tmp_path: Path) -> None:
    sample.write_json(tmp_path / "result.json", _uncounted())
    simulated = provenance.make(load_report(tmp_path))[0]
    assert {row[0].text: row[1].text for row in simulated.rows}["utilization"] == "–"
