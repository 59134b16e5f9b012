"""The few numbers on top of the page."""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.report import units
from ftlab.report.contents import Report, Run
from ftlab.report.metrics import Metric, metric
from ftlab.report.tables.comparison import tone

# Of each line the first figure that some run has: one that only reads has other news than one that writes.
KEYS = (
    ("erases",),
    ("throughput", "read_throughput"),
    ("energy", "energy_total"),
    ("write_p99", "read_p99"),
    ("wear_stddev",),
)


@dataclass(frozen=True)
class Card:
    title: str
    value: str
    detail: str
    tone: str = ""


def _values(item: Metric, report: Report) -> list[tuple[Run, float]]:
    return [(run, value) for run in report.runs if (value := item.mean(run.result)) is not None]


def _in_all(values: list[tuple[Run, float]]) -> str:
    return "in both runs" if len(values) == 2 else f"in all {len(values)} runs"


def _range_card(item: Metric, values: list[tuple[Run, float]]) -> Card:
    """Of runs that did different work: none is the best."""
    (least_run, least), (most_run, most) = min(values, key=lambda pair: pair[1]), max(values, key=lambda pair: pair[1])
    if least == most:
        return Card(item.title, item.text(least), _in_all(values) if len(values) > 1 else least_run.label)
    return Card(item.title, f"{item.text(least)} to {item.text(most)}", f"{least_run.label}; {most_run.label}")


def _run_cards(report: Report) -> list[Card]:
    """One run: its figures. Several: the best run of each figure against the baseline, or the range of unlike runs."""
    cards: list[Card] = []
    base = report.baseline_run()
    for keys in KEYS:
        candidates = ((item, _values(item, report)) for item in map(metric, keys))
        item, values = next(((item, values) for item, values in candidates if values), (None, []))
        if item is None:
            continue
        best_run, best = (max if item.better == "more" else min)(values, key=lambda pair: pair[1])
        if len(report.runs) == 1 or base is None:
            cards.append(Card(item.title, item.text(best), ""))
            continue
        if not report.comparable:
            cards.append(_range_card(item, values))
            continue
        if len({item.text(value) for _, value in values}) == 1:
            cards.append(Card(item.title, item.text(best), _in_all(values)))
            continue
        base_value = item.mean(base.result)
        if best_run is base or not base_value:
            cards.append(Card(item.title, item.text(best), f"{best_run.label}, the best of {len(values)}"))
            continue
        change = units.change(best, base_value)
        detail = f"{best_run.label}: {change} against {base.label}"
        cards.append(Card(item.title, item.text(best), detail, tone(item, best_run.result, base.result)))
    return cards


def _cells_card(report: Report) -> list[Card]:
    """Empty where nothing is judged."""
    if report.reproduction is None:
        return []
    counts = [experiment.verdict_counts() for experiment in report.reproduction.experiments]
    passed = sum(count["pass"] for count in counts)
    failed = sum(count["fail"] for count in counts)
    reported = sum(count["reported"] for count in counts)
    if passed + failed == 0:
        return []
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


def _claims_card(report: Report) -> list[Card]:
    """Empty where nothing is claimed. That a statement fails is no fault of ours."""
    experiments = report.reproduction.experiments if report.reproduction is not None else ()
    claims = [claim for experiment in experiments for claim in experiment.claims]
    held = sum(claim.holds for claim in claims)
    about = [experiment for experiment in experiments if experiment.claims and experiment.claims_about]
    elsewhere = sum(len(experiment.claims) for experiment in about)
    which = "about" if elsewhere == len(claims) else f"{elsewhere} of them about"
    detail = f"{which} {'; '.join(dict.fromkeys(experiment.claims_about for experiment in about))}" if about else ""
    return [Card("Statements that hold", f"{held} of {len(claims)}", detail)] if claims else []


def cards(report: Report) -> list[Card]:
    return _run_cards(report) + _cells_card(report) + _claims_card(report)
