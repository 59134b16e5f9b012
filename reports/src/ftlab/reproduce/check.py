"""What a figure is said wrong for is said before anything is simulated."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from ftlab.program import listing
from ftlab.reproduce.expression import ExpressionError, Expressions
from ftlab.reproduce.spec import Experiment, Point, Where
from ftlab.result import figure_rows

_WITH_PARTS = ("numbers by name", "object", "list")


def check_expressions(experiment: Experiment) -> None:
    """Raises InputError for an expression that no run could answer, and for rows that are named and not there."""
    expressions = Expressions(experiment)
    rows = experiment.rows()

    def check(key: str, text: str, points: Iterable[Point], nth: int = 0) -> None:
        try:
            expressions.check(text, points, lambda path: experiment.command != "run" or _is_figure(path))
        except ExpressionError as problem:
            raise experiment.file.refuse(key, str(problem), nth) from None

    for quantity in experiment.quantities:
        for row in rows:
            expression = experiment.expression_of(quantity, row)
            if expression is not None:
                check(f"quantities.{quantity.name}.value", expression, [row])
                if quantity.published:
                    check(f"quantities.{quantity.name}.published", quantity.published, [row])
    if not rows:
        raise experiment.file.refuse("axes", "make no row; each needs a value without row = false")
    for (row, quantity_name), published in experiment.published.items():
        names = [name for axis, name in zip(experiment.axes, row, strict=True) if axis.column]
        if row not in rows or not _published(experiment, quantity_name, row):
            raise experiment.file.refuse(".".join(["published", *names, quantity_name]), "no row has such a cell")
        check(".".join(["published", *names, quantity_name]), published.expression, [row])
    for nth, claim in enumerate(experiment.claims):
        check("claims.value", claim.expression, _first(experiment, "claims", claim.where, nth), nth)
    for nth, plot in enumerate(experiment.plots):
        for series in plot.series:
            first = _first(experiment, "plots.series", series.where, nth)
            if series.points:
                check("plots.series", series.points, first, nth)
    for tolerance in experiment.tolerances:
        if not any(_published(experiment, tolerance.quantity, row) for row in experiment.rows(tolerance.where)):
            problem = f"nothing is published for {tolerance.quantity} there, so nothing is judged"
            raise experiment.file.refuse("tolerances", problem, tolerance.nth)
    if experiment.vary:
        _first(experiment, "vary.at", experiment.vary.at, 0)
        for varied in experiment.vary.rows:
            _first(experiment, "vary.rows", varied.where, 0)


def _first(experiment: Experiment, key: str, where: Where, nth: int) -> list[Point]:
    rows = experiment.rows(where)
    if not rows:
        raise experiment.file.refuse(key, "no row matches where", nth)
    return rows[:1]


def _published(experiment: Experiment, name: str, row: Point) -> bool:
    quantity = next(one for one in experiment.quantities if one.name == name)
    if experiment.expression_of(quantity, row) is None:
        return False
    return bool(quantity.published) or (row, name) in experiment.published


def _is_figure(path: str) -> bool:
    """One of a result, or a part of one that is no single value; a key of the run's study, or what it was made of."""
    head, _, key = path.partition(".")
    if head == "config":
        tables = ("documents.", *(known.removesuffix("*") for known in _keys() if known.endswith(".*")))
        return key in _keys() or key.startswith(tables)
    known = figure_rows()
    heads = [path[:place] for place, letter in enumerate(path) if letter == "."]
    return path in known or any(known[head]["type"] in _WITH_PARTS for head in heads if head in known)


@functools.cache
def _keys() -> frozenset[str]:
    return frozenset(str(row["key"]) for row in listing("keys"))
