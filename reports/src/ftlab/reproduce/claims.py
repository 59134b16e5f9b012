"""Sentences of a paper, checked: whether what they say holds here, and by how much it fails."""

from __future__ import annotations

from ftlab.reproduce.cells import Json
from ftlab.reproduce.expression import PROBLEMS, Evaluator, said
from ftlab.reproduce.samples import summarized
from ftlab.reproduce.spec import Claim, Experiment

HOLDS, FAILS = "holds", "fails"


def claims_of(experiment: Experiment, values: Evaluator) -> list[Json]:
    """claims[] of reproduce.json (docs/results.md)."""
    return [_claim(experiment, claim, values, nth) for nth, claim in enumerate(experiment.claims)]


def _claim(experiment: Experiment, claim: Claim, values: Evaluator, nth: int) -> Json:
    try:
        ours = summarized(values.value(claim.expression, experiment.rows(claim.where)[0]))
    except PROBLEMS as problem:
        raise experiment.file.refuse("claims.value", said(problem), nth) from None
    # As far as a mean over seeds can tell.
    slack = 2 * (ours.standard_error or 0.0)
    below = 0.0 if claim.least is None else max(0.0, claim.least - ours.mean)
    above = 0.0 if claim.most is None else max(0.0, ours.mean - claim.most)
    return {
        "text": claim.text,
        **({"measure": claim.measure} if claim.measure else {}),
        "source": claim.source,
        "least": claim.least,
        "most": claim.most,
        "unit": claim.unit,
        "decimals": claim.decimals,
        "ours": ours.mean,
        "standard_error": ours.standard_error,
        "missed_by": max(below, above),
        "verdict": HOLDS if max(below, above) <= slack else FAILS,
    }
