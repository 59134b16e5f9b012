"""The rows of an experiment: its runs, and what is read off them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ftlab.reproduce.bank import Bank, Document, Request, request
from ftlab.reproduce.cells import Json, cell
from ftlab.reproduce.expression import PROBLEMS, Evaluator, Expressions, said
from ftlab.reproduce.samples import NoInterval, Samples, summarized
from ftlab.reproduce.spec import Experiment, Point, Quantity, Settings


@dataclass(frozen=True)
class Wanted:
    """Rows, each with its quantities."""

    rows: tuple[tuple[Point, tuple[Quantity, ...]], ...]
    expressions: tuple[tuple[str, Point], ...] = ()  # evaluated beside the rows


@dataclass(frozen=True)
class Change:
    """Settings on top of all runs."""

    label: str = ""  # for progress; empty: none
    settings: Settings = field(default_factory=dict)


def all_rows(experiment: Experiment, rows: Iterable[Point]) -> Wanted:
    """With plots and claims."""
    plotted = [
        (series.points, row)
        for plot in experiment.plots
        for series in plot.series
        if series.points
        for row in experiment.rows(series.where)
    ]
    claimed = [(claim.expression, experiment.rows(claim.where)[0]) for claim in experiment.claims]
    return Wanted(tuple((row, experiment.quantities) for row in rows), (*plotted, *claimed))


def points_of(experiment: Experiment, wanted: Wanted) -> list[Point]:
    """The points whose runs are read, each once."""
    expressions = Expressions(experiment)
    found: dict[Point, None] = {}
    texts = [(text, row) for row, quantities in wanted.rows for text in _texts(experiment, row, quantities)]
    for text, row in [*texts, *wanted.expressions]:
        found |= dict.fromkeys(sorted(expressions.needed(text, row)))
    return list(found)


def _texts(experiment: Experiment, row: Point, quantities: Iterable[Quantity]) -> list[str]:
    texts = []
    for quantity in quantities:
        expression = experiment.expression_of(quantity, row)
        if expression is not None:
            texts += [expression, *filter(None, [_published(experiment, quantity, row)[0]])]
    return texts


def _published(experiment: Experiment, quantity: Quantity, row: Point) -> tuple[str, str]:
    """Expression and note; both empty where nothing was published."""
    found = experiment.published.get((row, quantity.name))
    return (found.expression, found.note) if found else (quantity.published, "")


def requests_of(
    experiment: Experiment, points: Iterable[Point], seeds: Sequence[int], change: Change = Change()
) -> list[Request]:
    """Point by point, in each the seeds."""
    found = []
    for point in points:
        label = ", ".join(filter(None, [experiment.name, experiment.label(point), change.label]))
        settings = experiment.settings(point) | change.settings
        found += [request(label, experiment.command, settings, seed, experiment.profile) for seed in seeds]
    return found


def evaluator_of(experiment: Experiment, points: Sequence[Point], results: Sequence[Document], seeds: int) -> Evaluator:
    by_point = {point: Samples(results[place * seeds : (place + 1) * seeds]) for place, point in enumerate(points)}
    return Evaluator(experiment, lambda point: by_point[point])


def rows_of(experiment: Experiment, wanted: Wanted, values: Evaluator) -> list[Json]:
    """Rows of reproduce.json (docs/results.md)."""
    return [
        {
            "keys": experiment.titles(row),
            "cells": list(filter(None, (_cell(experiment, quantity, row, values) for quantity in quantities))),
        }
        for row, quantities in wanted.rows
    ]


def _cell(experiment: Experiment, quantity: Quantity, row: Point, values: Evaluator) -> Json | None:
    """None where the row has none, or nothing to show in it."""
    measured = experiment.expression_of(quantity, row)
    if measured is None:
        return None
    expression, note = _published(experiment, quantity, row)
    try:
        paper = summarized(values.value(expression, row)).mean if expression else None
    except PROBLEMS as problem:
        where = f"published for {experiment.label(row)}: {said(problem)}"
        raise experiment.file.refuse(f"quantities.{quantity.name}", where) from None
    try:
        value = values.value(measured, row)
        ours = summarized(value)
    except PROBLEMS as problem:
        where = f"{experiment.label(row)}: {said(problem)}"
        raise experiment.file.refuse(f"quantities.{quantity.name}.value", where) from None
    if isinstance(value, NoInterval):
        return None
    tolerance = None if paper is None else experiment.tolerance_of(quantity.name, row)
    return cell(quantity, paper, ours, tolerance, note)


def all_requests(experiment: Experiment, seeds: Sequence[int]) -> list[Request]:
    """Of all its rows, plots and claims, so that the runs of several experiments can be made together."""
    return requests_of(experiment, points_of(experiment, all_rows(experiment, experiment.rows())), seeds)


@dataclass(frozen=True)
class Rows:
    rows: list[Json]
    values: Evaluator  # of further expressions at their points
    ended_early: int  # runs whose device took no more writes before the workload was over
    runs: int


def run_rows(experiment: Experiment, wanted: Wanted, bank: Bank, seeds: Sequence[int]) -> Rows:
    points = points_of(experiment, wanted)
    results = bank.results(requests_of(experiment, points, seeds))
    values = evaluator_of(experiment, points, results, len(seeds))
    ended = sum(bool(result.get("host", {}).get("ended_early")) for result in results)
    return Rows(rows_of(experiment, wanted, values), values, ended, len(results))
