"""Drives beside measured ones: what the experiments say of them holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftlab.commands import main
from ftlab.reproduce.library import experiment_named
from program import needs_program


@needs_program
def test_both_tables_of_the_zn540_hold_the_same_measurement() -> None:
    published, fitted = (experiment_named(name) for name in ("drives-zn540", "drives-zn540-fit"))
    assert len(published.rows()) == len(fitted.rows()) == 9
    assert published.published == fitted.published


@pytest.mark.shared
@needs_program
@pytest.mark.parametrize("name", ["drives-zn540", "drives-zn540-fit", "drives-spdk"])
def test_random_reads_are_those_of_the_measured_drive(name: str, tmp_path: Path) -> None:
    quick = ["--seeds", "1", "--no-vary", "--set", "workload.total_mib=100"]
    assert main(["reproduce", name, *quick, "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert len(found["rows"]) == 9
    assert {claim["verdict"] for claim in found.get("claims", [])} <= {"holds"}


@pytest.mark.shared
@needs_program
@pytest.mark.parametrize(("name", "rows"), [("drives-theory", 21), ("drives-plateaus", 5)])
def test_rates_are_those_of_the_closed_forms(name: str, rows: int, tmp_path: Path) -> None:
    quick = ["--seeds", "1", "--no-vary", "--set", "workload.total_mib=100"]
    assert main(["reproduce", name, *quick, "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert found["verdict"] == "pass"
    assert len(found["rows"]) == rows
    assert {claim["verdict"] for claim in found["claims"]} == {"holds"}


@pytest.mark.shared
@needs_program
def test_reads_are_those_of_mqsim(tmp_path: Path) -> None:
    quick = ["--seeds", "1", "--no-vary"]
    assert main(["reproduce", "drives-mqsim", *quick, "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert [row["cells"][0]["verdict"] for row in found["rows"]] == ["pass", "reported"] * 2
    assert {claim["verdict"] for claim in found["claims"]} == {"holds"}


@pytest.mark.shared
@needs_program
def test_suspension_shortens_reads_and_erases_are_put_off(tmp_path: Path) -> None:
    # Half of the drive: what depends on how much of it the cleaning has reached is not asked.
    quick = ["--seeds", "1", "--no-vary", "--set", "part_overrides.segments=512", "--set", "workload.overwrites=0.25"]
    main(["reproduce", "drives-suspend", *quick, "--out", str(tmp_path), "-q"])
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert len(found["rows"]) == 4
    fails = [claim["measure"] for claim in found["claims"] if claim["verdict"] != "holds"]
    assert len(found["claims"]) == 9
    assert set(fails) <= {"p99.9 with both by that with nothing suspended", "dies at work with both suspended"}


@pytest.mark.shared
@needs_program
def test_cells_of_one_to_four_bits_differ_as_their_numbers_say(tmp_path: Path) -> None:
    assert main(["reproduce", "drives-cells", "--seeds", "1", "--no-vary", "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert {claim["verdict"] for claim in found["claims"]} == {"holds"}
