"""Sentences of the papers: the range that each gives, what comes out here, and whether it holds."""

from __future__ import annotations

import dataclasses

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.model.reproduce import Claim, Experiment


def _amount(value: float, claim: Claim) -> str:
    return f"{units.fixed(value, claim.decimals)} {claim.unit}".strip()


def range_text(claim: Claim) -> str:
    """60 to 65 %, at least 86 %."""
    if claim.least is None or claim.most is None:
        bound = claim.most if claim.least is None else claim.least
        word = "at most" if claim.least is None else "at least"
        return "any" if bound is None else f"{word} {_amount(bound, claim)}"
    if claim.least == claim.most:
        return _amount(claim.least, claim)
    return f"{units.fixed(claim.least, claim.decimals)} to {_amount(claim.most, claim)}"


def _verdict(claim: Claim) -> Cell:
    if claim.holds:
        return Cell("holds ✓", tone="good")
    # What a share lacks is no share.
    missed = dataclasses.replace(claim, unit="points") if claim.unit == "%" else claim
    return Cell("fails ✗", sub=f"missed by {_amount(claim.missed_by, missed)}", tone="bad")


def _table(experiment: Experiment) -> Table:
    rows = []
    for claim in experiment.claims:
        error = claim.standard_error
        spread = f"{units.PLUS_MINUS}{units.fixed(error, max(1, claim.decimals))}" if error else ""
        ours = Cell(_amount(claim.ours, claim), sub=spread)
        rows.append((Cell(claim.text, sub=claim.source), Cell(range_text(claim)), ours, _verdict(claim)))
    held = sum(claim.holds for claim in experiment.claims)
    about = f" They are about {experiment.claims_about}." if experiment.claims_about else ""
    return Table(
        name=f"claims-{experiment.name}",
        title=f"Statements, checked: {experiment.title}",
        columns=(Column("Statement"), Column("Range", right=True), Column("Ours", right=True), Column("Verdict")),
        rows=tuple(rows),
        caption=f"{held} of {len(rows)} hold. A claim holds up to two standard errors of our mean.{about}",
        group=experiment.name,
    )


def make(report: Report) -> list[Table]:
    if report.reproduction is None:
        return []
    return [_table(experiment) for experiment in report.reproduction.experiments if experiment.claims]
