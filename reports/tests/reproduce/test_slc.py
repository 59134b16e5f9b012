"""Segments filled as SLC: what the experiment says of them holds."""

from __future__ import annotations

import json
from pathlib import Path

from ftlab.commands import main
from program import needs_program


@needs_program
def test_bursts_of_a_flexonenand_take_the_time_of_lsb_pages_and_cost_energy(tmp_path: Path) -> None:
    assert main(["reproduce", "slc-onenand", "--seeds", "1", "--no-vary", "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert len(found["rows"]) == 16
    assert [claim["verdict"] for claim in found["claims"]] == ["holds"] * 6
    assert {plot["name"] for plot in found["plots"]} == {"slc-onenand-latency", "slc-onenand-energy"}
