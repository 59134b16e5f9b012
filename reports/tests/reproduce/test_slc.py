"""Segments filled as SLC: what the experiment says of them holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftlab.commands import main
from ftlab.reproduce.library import experiment_named
from program import needs_program


@needs_program
def test_arrays_answer_the_same_questions_but_for_the_closed_form() -> None:
    onenand, array = (experiment_named(name) for name in ("slc-onenand", "slc-array"))
    assert len(onenand.rows()) == len(array.rows()) == 16
    assert [claim.text for claim in onenand.claims][2:] == [claim.text for claim in array.claims][1:]


@pytest.mark.shared
@needs_program
def test_bursts_of_a_flexonenand_take_the_time_of_lsb_pages_and_cost_energy(tmp_path: Path) -> None:
    assert main(["reproduce", "slc-onenand", "--seeds", "1", "--no-vary", "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert len(found["rows"]) == 16
    assert [claim["verdict"] for claim in found["claims"]] == ["holds"] * 6
    assert {plot["name"] for plot in found["plots"]} == {"slc-onenand-latency", "slc-onenand-energy"}
