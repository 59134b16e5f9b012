"""Which points of a space are worth a run: a multi-objective search whose every step follows from its seed.

Points are asked for in batches of one size, whatever number runs at once, so that the search goes the same way on every
machine, and again after a kill.
"""

from __future__ import annotations

import math
import statistics
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import optuna

from ftlab.sweeps.axes import Range, Settings, Space
from ftlab.sweeps.journal import Outcome

_BATCH = 8
# Batches in a row of points that are known already, after which the rest of the runs goes to points drawn by chance.
_MAX_STALE = 5
# And after which what is left is too rare to be drawn.
_MAX_STALE_BY_CHANCE = 200
_BELOW_ONE = 1.0 - 2.0**-53


@dataclass(frozen=True)
class Objective:
    figure: str
    maximize: bool

    def value(self, outcomes: list[Outcome]) -> float | None:
        """The mean over seeds; None when a run failed or has no such figure."""
        values = [outcome.figures.get(self.figure) for outcome in outcomes]
        known = [value for value in values if value is not None]
        return statistics.fmean(known) if len(known) == len(outcomes) else None


def values_at(objectives: list[Objective], outcomes: list[Outcome]) -> list[float] | None:
    """Of each objective at one point; None where one has no value."""
    values = [objective.value(outcomes) for objective in objectives]
    return None if None in values else [value for value in values if value is not None]


Evaluate = Callable[[list[Settings]], list[list[Outcome]]]
"""Runs points, all at once, and gives the outcomes of each one's seeds."""


def find(
    space: Space, ranges: dict[str, Range], objectives: list[Objective], budget: int, seed: int, evaluate: Evaluate
) -> list[Settings]:
    """The points that were run, in the order of the search: `budget` of them, or all that there are."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    sampler: optuna.samplers.BaseSampler = optuna.samplers.TPESampler(seed=seed, multivariate=True, constant_liar=True)
    directions = [
        optuna.study.StudyDirection.MAXIMIZE if objective.maximize else optuna.study.StudyDirection.MINIMIZE
        for objective in objectives
    ]
    study = optuna.create_study(directions=directions, sampler=sampler)
    distributions = _distributions(space, ranges)
    limit = int(min(budget, space.size() * math.prod(span.size() for span in ranges.values())))
    seen: dict[str, list[float] | None] = {}
    points: list[Settings] = []
    stale = 0
    while len(points) < limit:
        trials = [study.ask(distributions) for _ in range(_BATCH)]
        asked = [_point(space, ranges, trial.params) for trial in trials]
        new = list({repr(point): point for point in asked if repr(point) not in seen}.values())[: limit - len(points)]
        stale = 0 if new else stale + 1
        if stale == _MAX_STALE:
            study.sampler = optuna.samplers.RandomSampler(seed=seed)
        if stale == _MAX_STALE + _MAX_STALE_BY_CHANCE:
            return points
        for point, outcomes in zip(new, evaluate(new), strict=True):
            seen[repr(point)] = values_at(objectives, outcomes)
        points += new
        for trial, point in zip(trials, asked, strict=True):
            found = seen.get(repr(point))
            if found is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, found)
    return points


def _distributions(space: Space, ranges: dict[str, Range]) -> dict[str, optuna.distributions.BaseDistribution]:
    found: dict[str, optuna.distributions.BaseDistribution] = {}
    for number, group in enumerate(space.groups):
        rows = len(group)
        found[f"group {number}"] = (
            optuna.distributions.IntDistribution(0, rows - 1)
            if _is_ordered(group)
            else optuna.distributions.CategoricalDistribution(list(range(rows)))
        )
    for key in ranges:
        found[key] = optuna.distributions.FloatDistribution(0.0, 1.0)
    return found


def _is_ordered(group: list[Settings]) -> bool:
    """Whether values near in the list are near in effect: numbers that only rise or only fall."""
    for key in group[0]:
        values: list[Any] = [row[key] for row in group]
        if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
            return False
        if values not in (sorted(values), sorted(values, reverse=True)):
            return False
    return True


def _point(space: Space, ranges: dict[str, Range], drawn: dict[str, Any]) -> Settings:
    point = space.at([int(drawn[f"group {number}"]) for number in range(len(space.groups))])
    return point | {key: span.sample(min(float(drawn[key]), _BELOW_ONE)) for key, span in ranges.items()}


def pareto(values: list[list[float] | None], objectives: list[Objective]) -> list[bool]:
    """Of each point whether no other is as good in every objective and better in one. None: it has no values."""
    signs = [1.0 if objective.maximize else -1.0 for objective in objectives]
    scores = [None if row is None else tuple(s * v for s, v in zip(signs, row, strict=True)) for row in values]

    def beaten(mine: tuple[float, ...]) -> bool:
        return any(
            other is not None and other != mine and all(o >= m for o, m in zip(other, mine, strict=True))
            for other in scores
        )

    return [score is not None and not beaten(score) for score in scores]
