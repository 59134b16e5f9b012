"""What the figures owe to values that the papers leave open: one value at a time, 20 % less and more."""

from __future__ import annotations

from collections.abc import Sequence

from ftlab.reproduce.bank import Bank
from ftlab.reproduce.cells import Json
from ftlab.reproduce.open_values import open_values
from ftlab.reproduce.rows import Change, Wanted, evaluator_of, points_of, requests_of, rows_of
from ftlab.reproduce.spec import Experiment, OpenValue, Settings

_TOGETHER = 8  # changes whose results are in memory at a time
# No figure depends on what pages hold, and runs without are half again as fast.
_NO_CONTENT: Settings = {"platform.store_content": False}


def _wanted(experiment: Experiment) -> Wanted:
    """Rows that are run again, each with the quantities that it shows then."""
    found = []
    for varied in experiment.vary.rows if experiment.vary else ():
        kept = [
            quantity
            for quantity in experiment.quantities
            if not varied.quantities or quantity.name in varied.quantities
        ]
        found += [(row, tuple(kept)) for row in experiment.rows(varied.where)]
    return Wanted(tuple(found))


class _Rows:
    """The rows of an experiment under changes."""

    def __init__(self, experiment: Experiment, bank: Bank) -> None:
        self._experiment = experiment
        self._bank = bank
        self._wanted = _wanted(experiment)
        self._points = points_of(experiment, self._wanted)

    def runs(self, changes: int, seeds: int) -> int:
        """At most; settings that are the same run once."""
        return changes * len(self._points) * seeds

    def under(self, changes: Sequence[Change], seeds: Sequence[int]) -> list[list[Json]]:
        found = []
        for begin in range(0, len(changes), _TOGETHER):
            found += self._together(changes[begin : begin + _TOGETHER], seeds)
        return found

    def _together(self, changes: Sequence[Change], seeds: Sequence[int]) -> list[list[Json]]:
        experiment = self._experiment
        quick = _NO_CONTENT if experiment.command == "run" else {}
        requests = []
        for change in changes:
            with_quick = Change(change.label, quick | change.settings)
            requests += requests_of(experiment, self._points, seeds, with_quick)
        results = self._bank.results(requests, keep=False)
        each = len(self._points) * len(seeds)
        return [
            rows_of(
                experiment,
                self._wanted,
                evaluator_of(experiment, self._points, results[place * each : (place + 1) * each], len(seeds)),
            )
            for place in range(len(changes))
        ]


def sensitivity_of(experiment: Experiment, bank: Bank, seeds: Sequence[int]) -> Json | None:
    """The part "sensitivity" of an experiment (docs/results.md); None where nothing is open.

    With more than one seed, the first decides which values move a figure at the decimals shown; these alone run with
    all of them.
    """
    values = open_values(experiment)
    if not values:
        return None
    rows = _Rows(experiment, bank)
    changes = [
        (value, variant.text, Change(f"{value.name} {variant.text}", variant.settings))
        for value in values
        for variant in value.variants
    ]
    bank.plan(rows.runs(len(changes) + 1, 1))
    found = rows.under([Change(), *(change for _, _, change in changes)], seeds[:1])
    matter = {
        value.name
        for (value, _, _), there in zip(changes, found[1:], strict=True)
        if _shown(experiment, there) != _shown(experiment, found[0])
    }
    # All variants of a value that matters, so that both sides are reported.
    kept = [(value, text, change) for value, text, change in changes if value.name in matter]
    if len(seeds) > 1:
        bank.plan(rows.runs(len(kept) + 1, len(seeds)))
        found = rows.under([Change(), *(change for _, _, change in kept)], seeds)
    else:
        moving = [there for (value, _, _), there in zip(changes, found[1:], strict=True) if value.name in matter]
        found = [found[0], *moving]
    effects: list[Json] = []
    without: list[str] = []
    for value in values:
        variants = [
            (text, there) for (of, text, _), there in zip(kept, found[1:], strict=True) if of.name == value.name
        ]
        moved = _effects(experiment, value, found[0], variants)
        effects += moved
        if not moved:
            without.append(value.name)
    return {"effects": effects, "without_effect": without}


def _shown(experiment: Experiment, rows: list[Json]) -> list[str]:
    """Its figures at the decimals shown."""
    decimals = {quantity.name: quantity.decimals for quantity in experiment.quantities}
    return [f"{one['ours']:.{decimals[one['quantity']]}f}" for row in rows for one in row["cells"]]


def _effects(
    experiment: Experiment, value: OpenValue, base: list[Json], variants: list[tuple[str, list[Json]]]
) -> list[Json]:
    """One record for each figure that some variant of the value moves."""
    cells = [(row["keys"], one) for row in base for one in row["cells"]]
    shown = _shown(experiment, base)
    there = [(text, [one for row in rows for one in row["cells"]], _shown(experiment, rows)) for text, rows in variants]
    found = []
    for place, (keys, one) in enumerate(cells):
        if all(shown_there[place] == shown[place] for _, _, shown_there in there):
            continue
        found.append(
            {
                "name": value.name,
                "used": value.used,
                "keys": keys,
                "quantity": one["quantity"],
                "ours": one["ours"],
                "variants": [{"value": text, "ours": ones[place]["ours"]} for text, ones, _ in there],
            }
        )
    return found
