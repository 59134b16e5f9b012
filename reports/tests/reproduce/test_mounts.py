"""The experiments on mounts: their closed forms hold, in a run of the quickest of them."""

from __future__ import annotations

import json
from pathlib import Path

from ftlab.commands import main
from ftlab.reproduce.library import experiment_named
from program import needs_program

NAMES = ("mount-nor", "mount-onenand", "mount-array")


@needs_program
def test_all_parts_answer_the_same_questions_but_for_sizes() -> None:
    texts = [
        [claim.text.partition(" MiB")[0].rstrip("0123456789") for claim in experiment_named(name).claims]
        for name in NAMES
    ]
    assert texts[0] == texts[1] == texts[2]
    for name in NAMES:
        assert len(experiment_named(name).rows()) == 16


@needs_program
def test_mounts_of_a_flexonenand_are_linear_without_checkpoints_and_bounded_with_them(tmp_path: Path) -> None:
    assert main(["reproduce", "mount-onenand", "--seeds", "1", "--out", str(tmp_path), "-q"]) == 0
    (found,) = json.loads((tmp_path / "reproduce.json").read_bytes())["experiments"]
    verdicts = {claim["text"]: claim["verdict"] for claim in found["claims"]}
    assert len(found["rows"]) == 16
    assert [verdict for text, verdict in verdicts.items() if text.startswith(("Without", "With checkpoints no"))] == [
        "holds"
    ] * 3
    assert {plot["name"] for plot in found["plots"]} == {"mount-onenand-capacity", "mount-onenand-interval"}
