"""Parts that age: what the experiment says of them holds."""

from __future__ import annotations

import json
from pathlib import Path

from ftlab.commands import main
from program import needs_program


@needs_program
def test_worn_parts_and_old_data_do_what_the_experiment_says(tmp_path: Path) -> None:
    assert main(["reproduce", "age-tlc", "--seeds", "1", "--no-vary", "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    assert len(found["rows"]) == 15
    assert [claim["verdict"] for claim in found["claims"]] == ["holds"] * 9
    assert {plot["name"] for plot in found["plots"]} == {"age-tlc-retries", "age-tlc-raw"}
