"""The sentences about Fig. 16 are judged policy by policy, and by sizes that the papers know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ftlab.reproduce.claims import claims_of
from ftlab.reproduce.expression import Evaluator
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.samples import Samples
from ftlab.reproduce.spec import Point
from program import needs_program

pytestmark = needs_program

# Greedy gets worse from 16 to 24 MB; the others from 40 to 64 MB alone.
_ERASURES = {
    "greedy": {"16": 900, "24": 950, "32": 700, "40": 600, "64": 500},
    "cost_benefit": {"16": 900, "24": 800, "32": 700, "40": 600, "64": 800},
    "cat": {"16": 900, "24": 800, "32": 700, "40": 600, "64": 800},
}
_OF_METHOD: dict[str, Callable[[str], int]] = {
    "m1": lambda size: 4000 // int(size),
    "m4": lambda _: 20,
    "m6": lambda size: -100 if size != "64" else 100,
}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, str]:
    experiment = experiment_named("fms-fig16")
    names = [axis.name for axis in experiment.axes]

    def runs(point: Point) -> Samples:
        at = dict(zip(names, point, strict=True))
        erases = _ERASURES[at["selection"]][at["size"]] + _OF_METHOD[at["method"]](at["size"])
        return Samples([{"flash": {"erases": erases, "pages_copied": 1}}])

    return {claim["text"]: claim["verdict"] for claim in claims_of(experiment, Evaluator(experiment, runs))}


def test_a_policy_that_gets_worse_fails_alone(verdicts: dict[str, str]) -> None:
    better = {text.rpartition(": ")[2]: said for text, said in verdicts.items() if "performs better" in text}
    assert better == {"Greedy": "fails", "Cost-benefit": "holds", "CAT": "holds"}


def test_a_size_of_ours_judges_no_sentence(verdicts: dict[str, str]) -> None:
    best = {text.rpartition(": ")[2]: said for text, said in verdicts.items() if "M6 performs best" in text}
    assert best == dict.fromkeys(("Greedy", "Cost-benefit", "CAT"), "holds")
    depends = [said for text, said in verdicts.items() if "M1 depends largely" in text]
    assert depends == ["holds"] * 3
