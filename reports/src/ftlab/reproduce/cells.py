"""A mean beside a published value: deviation, tolerance plus two standard errors, verdict."""

from __future__ import annotations

from typing import Any

from ftlab.reproduce.samples import Summary
from ftlab.reproduce.spec import Quantity, Tolerance

Json = dict[str, Any]


def cell(quantity: Quantity, paper: float | None, ours: Summary, tolerance: Tolerance | None, note: str) -> Json:
    """A cell of reproduce.json (docs/results.md)."""
    # A published zero has no relative deviation.
    relative = bool(tolerance.relative if tolerance else quantity.relative) and bool(paper)
    error = ours.standard_error or 0.0
    deviation = None
    if paper is not None:
        deviation = ours.mean - paper
        if relative:
            deviation = ours.mean / paper - 1 if paper > 0 else deviation / abs(paper)
            error /= abs(paper)
    # A share of nothing is nothing.
    demanded = tolerance.value if tolerance and tolerance.relative == relative else 0.0
    allowed = demanded + 2 * error if tolerance else None
    verdict = "reported"
    if deviation is not None and allowed is not None:
        verdict = "pass" if abs(deviation) <= allowed else "fail"
    found: Json = {
        "quantity": quantity.name,
        "paper": paper,
        "ours": ours.mean,
        "standard_error": ours.standard_error,
        "deviation": deviation,
        "deviation_kind": "relative" if relative else "absolute",
        "tolerance": demanded if tolerance else None,
        "allowed": allowed,
        "verdict": verdict,
    }
    return found | {"note": note} if note else found


def overall(rows: list[Json]) -> str:
    """pass, fail or reported over all cells of the rows."""
    verdicts = {one["verdict"] for row in rows for one in row["cells"]}
    return "fail" if "fail" in verdicts else "pass" if "pass" in verdicts else "reported"
