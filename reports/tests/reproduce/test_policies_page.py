"""docs/policies.md: each of its statements is a claim of an experiment, by the same words, and is judged by its range."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from ftlab.program import listing
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.spec import Claim, Experiment
from program import needs_program

PAGE = Path(__file__).parents[3] / "docs" / "policies.md"
EXPERIMENTS = ("fms-policies", "fms-policies-traces", "fms-lifetime")


@functools.cache
def _experiment(name: str) -> Experiment:
    return experiment_named(name)


def _statements(experiment: str) -> dict[str, tuple[str, str]]:
    """Statement -> what was measured, and the verdict, of the section that begins with the experiment's name."""
    sections = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    (section,) = [section for section in sections if f"`{experiment}`" in section.partition("\n")[0]]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {row[0].strip(): (row[1].strip(), row[2].strip()) for row in rows[1:]}


def _holds(claim: Claim, measured: float) -> bool:
    return (claim.least is None or measured >= claim.least) and (claim.most is None or measured <= claim.most)


@needs_program
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_every_statement_is_a_claim_and_every_claim_a_statement(experiment: str) -> None:
    claims = [claim.text for claim in _experiment(experiment).claims]
    assert list(_statements(experiment)) == claims


@needs_program
@pytest.mark.parametrize("experiment", EXPERIMENTS)
def test_a_statement_holds_or_fails_as_the_range_of_its_claim_says(experiment: str) -> None:
    statements = _statements(experiment)
    for claim in _experiment(experiment).claims:
        measured, verdict = statements[claim.text]
        number, _, unit = measured.replace("\N{MINUS SIGN}", "-").partition(" ")
        assert unit == claim.unit, claim.text
        assert verdict == ("holds" if _holds(claim, float(number)) else "fails"), claim.text


@needs_program
@pytest.mark.parametrize("experiment", EXPERIMENTS[:2])
@pytest.mark.parametrize("key", ["ftl.trigger", "ftl.selection", "ftl.redistribution", "ftl.wear_leveling"])
def test_every_policy_of_the_server_is_in_the_table(experiment: str, key: str) -> None:
    known = {
        row["name"] for row in listing("policies") if row["key"] == key and "ftl.firmware" not in row["what it does"]
    }
    found = _experiment(experiment)
    default = next(str(row["default"]).strip('"') for row in listing("keys") if row["key"] == key)
    used = {str(found.settings(point).get(key, default)) for point in found.rows()}
    assert known <= used, "a line of [axes.cleaner] in experiments/fms/paper.toml for each"
