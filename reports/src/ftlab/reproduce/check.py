"""What a figure is said wrong for is said before anything is simulated."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from ftlab.reproduce.expression import ExpressionError, Expressions
from ftlab.reproduce.spec import Experiment, Point, Where
from ftlab.result import figure_rows


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
    for (row, quantity_name), published in experiment.published.items():
        names = [name for axis, name in zip(experiment.axes, row, strict=True) if axis.column]
        check(".".join(["published", *names, quantity_name]), published.expression, [row])
    for nth, claim in enumerate(experiment.claims):
        check("claims.value", claim.expression, _first(experiment, "claims", claim.where, nth), nth)
    for nth, series in enumerate(itertools.chain.from_iterable(plot.series for plot in experiment.plots)):
        if series.points:
            check("plots.series", series.points, _first(experiment, "plots.series", series.where, nth), nth)
    if experiment.vary:
        for varied in experiment.vary.rows:
            _first(experiment, "vary.rows", varied.where, 0)


def _first(experiment: Experiment, key: str, where: Where, nth: int) -> list[Point]:
    rows = experiment.rows(where)
    if not rows:
        raise experiment.file.refuse(key, "no row matches where", nth)
    return rows[:1]


def _is_figure(path: str) -> bool:
    """One of a result, or a part of one; the configuration of the run."""
    if path.startswith("config."):
        return True
    known = figure_rows()
    heads = [path[:place] for place, letter in enumerate(path) if letter == "."]
    return path in known or any(head in known for head in heads)
