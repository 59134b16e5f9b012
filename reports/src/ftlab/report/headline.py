"""The few numbers on top of the page."""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.report import units
from ftlab.report.contents import Report
from ftlab.report.metrics import metric
from ftlab.report.tables.comparison import tone

KEYS = ("erases", "throughput", "energy", "write_p99", "wear_stddev")


@dataclass(frozen=True)
class Card:
    title: str
    value: str
    detail: str
    tone: str = ""


def _run_cards(report: Report) -> list[Card]:
    """One run: its figures. Several: the best run of each figure, and how it stands to the baseline."""
    cards: list[Card] = []
    base = report.baseline_run()
    for item in (metric(key) for key in KEYS):
        values = [(run, value) for run in report.runs if (value := item.value(run.result)) is not None]
        if not values:
            continue
        best_run, best = (max if item.better == "more" else min)(values, key=lambda pair: pair[1])
        if len(report.runs) == 1 or base is None:
            cards.append(Card(item.title, item.text(best), ""))
            continue
        base_value = item.value(base.result)
        if best_run is base or not base_value:
            cards.append(Card(item.title, item.text(best), f"{best_run.label}, the best of {len(values)}"))
            continue
        change = units.change(best, base_value)
        detail = f"{best_run.label}: {change} against {base.label}"
        cards.append(Card(item.title, item.text(best), detail, tone(item, best, base_value)))
    return cards


def _reproduction_card(report: Report) -> list[Card]:
    if report.reproduction is None:
        return []
    counts = [experiment.verdict_counts() for experiment in report.reproduction.experiments]
    passed = sum(count["pass"] for count in counts)
    failed = sum(count["fail"] for count in counts)
    reported = sum(count["reported"] for count in counts)
    parts = [f"{failed} outside"] if failed else []
    parts += [f"{reported} more reported without judgement"] if reported else []
    return [
        Card(
            "Published cells within tolerance",
            f"{passed} of {passed + failed}",
            ", ".join(parts),
            "bad" if failed else "good",
        )
    ]


def cards(report: Report) -> list[Card]:
    return _run_cards(report) + _reproduction_card(report)
