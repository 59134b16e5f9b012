"""Expressions of experiment files: what is read off the runs at a point.

Names are, in this order: a derived value or a quantity of the experiment, an axis (the name of the point's value there,
a number where it is one), `run` (the whole result), a figure of the result. A name with dots is always a figure.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import operator
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ftlab.nearest import listed, meant
from ftlab.reproduce.derivations import FUNCTIONS
from ftlab.reproduce.samples import Samples, interval, lifted, summarized
from ftlab.reproduce.spec import Experiment, Point
from ftlab.result import entry_at, figure_rows

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda base, exponent: float(base) ** float(exponent),
    ast.USub: operator.neg,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
# Functions of a value at other points: `at(x, policy="cat")`, `previous(x, along="window")`; those over an axis, such
# as `mean(x, over="policy")`, of which `along` gives the points of a plot and `each` a list, for functions of
# many runs; over seeds, as one value for all of them.
# `but="cat"`: without that value of the axis, or without those, `but="cat, greedy"`.
_OVER_AXIS = ("mean", "most", "least", "along", "each")
_OVER_SEEDS: dict[str, Callable[[Samples], float]] = {
    "seed_mean": lambda value: summarized(value).mean,
    "seed_min": lambda value: float(min(value)),
    "seed_interval": interval,
}
_ELSEWHERE: dict[str, tuple[str, ...] | None] = {
    "at": None,
    "previous": ("along",),
    **dict.fromkeys(_OVER_AXIS, ("over",)),
    **dict.fromkeys(_OVER_SEEDS, ()),
}


class ExpressionError(ValueError):
    """What is wrong with an expression, without saying whose."""


# What an expression can do to the values that it meets.
PROBLEMS = (ExpressionError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError)


def said(problem: BaseException) -> str:
    """In a sentence."""
    if isinstance(problem, KeyError):
        key = problem.args[0]
        more = "; samples need platform.sample_s" if key == "timeline" else ""
        return f"the result of a run has no {key}{more}"
    if isinstance(problem, ZeroDivisionError):
        return "divides by zero"
    if isinstance(problem, OverflowError):
        return "is too large for a number"
    if isinstance(problem, RecursionError):
        return "is nested too deeply"
    if isinstance(problem, AttributeError):
        return f"a function got what it cannot use ({problem})"
    return str(problem) or type(problem).__name__


@functools.cache
def _parsed(text: str) -> ast.expr:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"{text!r} is no expression") from None


def _path(node: ast.expr) -> str | None:
    """`flash.erases` of the attributes that it is written with."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        head = _path(node.value)
        return None if head is None else f"{head}.{node.attr}"
    return None


def _called(node: ast.Call) -> str:
    if not isinstance(node.func, ast.Name):
        raise ExpressionError("only functions of the list can be called")
    return node.func.id


def _word(node: ast.expr) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise ExpressionError("the name of a value or an axis is a text, such as policy = 'cat'")
    return node.value


class Expressions:
    """Those of one experiment."""

    def __init__(self, experiment: Experiment) -> None:
        self._experiment = experiment
        self._quantities = {quantity.name: quantity for quantity in experiment.quantities}
        # A name may stand in many others: each is followed once.
        self._needs: dict[tuple[str, Point], frozenset[Point]] = {}
        self._checked: set[tuple[str, Point]] = set()
        # Those that look over an axis do so from each of its points: what they look at is followed once, too.
        self._needs_elsewhere: dict[tuple[ast.expr, Point], frozenset[Point]] = {}
        self._checked_elsewhere: set[tuple[ast.expr, Point]] = set()

    def named(self, name: str, point: Point) -> str | None:
        """The expression behind a name, if it is one of the experiment's own."""
        if name in self._experiment.derived:
            return self._experiment.derived[name]
        if name in self._quantities:
            expression = self._experiment.expression_of(self._quantities[name], point)
            if expression is None:
                raise ExpressionError(f"{name} has no value at {self._experiment.label(point)}")
            return expression
        return None

    def axis_value(self, name: str, point: Point) -> Any:
        """None: there is no such axis."""
        places = [place for place, axis in enumerate(self._experiment.axes) if axis.name == name]
        if not places:
            return None
        text = point[places[0]]
        try:
            number = int(text) if text.isdecimal() else float(text)
        except ValueError:
            return text
        return number if math.isfinite(number) else text

    def elsewhere(self, node: ast.Call, point: Point) -> list[Point]:
        """The points that these functions look at."""
        name = _called(node)
        if len(node.args) != 1:
            raise ExpressionError(f"{name} takes one expression")
        words = {keyword.arg or "": _word(keyword.value) for keyword in node.keywords}
        but = words.pop("but", "") if name in _OVER_AXIS else ""
        left_out = [one.strip() for one in but.split(",") if one.strip()]
        expected = _ELSEWHERE[name]
        if expected is not None and tuple(words) != expected:
            raise ExpressionError(f"{name} takes {', '.join(expected) or 'nothing'} beside its expression")
        if name == "at":
            for axis, value in words.items():
                self._check_value(axis, value)
            return [self._runs_at(self._experiment.moved(point, words))]
        if name in _OVER_SEEDS:
            return [point]
        axis = self._axis(next(iter(words.values())))
        names = [value.name for value in axis.values]
        if name in _OVER_AXIS:
            return self._over(point, axis.name, [value for value in names if value not in left_out], left_out)
        here = names.index(point[self._experiment.axis(axis.name)])
        if here == 0:
            raise ExpressionError(f"nothing stands before {names[0]}")
        return [self._runs_at(self._experiment.moved(point, {axis.name: names[here - 1]}))]

    def _runs_at(self, point: Point) -> Point:
        if reason := self._experiment.refusal(point):
            raise ExpressionError(f"nothing runs at {self._experiment.label(point)}: {reason}")
        return point

    def _over(self, point: Point, axis: str, values: list[str], left_out: list[str]) -> list[Point]:
        """Those that run."""
        for value in left_out:
            self._check_value(axis, value)
        others = (self._experiment.moved(point, {axis: value}) for value in values)
        found = [other for other in others if not self._experiment.refusal(other)]
        if not found:
            raise ExpressionError(f"nothing runs over {axis} there")
        return found

    def _axis(self, name: str) -> Any:
        for axis in self._experiment.axes:
            if axis.name == name:
                return axis
        raise ExpressionError(f"there is no axis {name}")

    def _check_value(self, axis: str, value: str) -> None:
        names = [known.name for known in self._axis(axis).values]
        if value not in names:
            raise ExpressionError(f"axis {axis} has no value {value}{meant(value, names, listed(names))}")

    def needed(self, text: str, point: Point) -> set[Point]:
        """The points whose runs it reads."""
        return set(self._needed(_parsed(text), point, ()))

    def _needed(self, node: ast.expr, point: Point, within: tuple[str, ...]) -> Iterator[Point]:
        if isinstance(node, ast.Name):
            if node.id in within:
                raise ExpressionError(f"{node.id} is defined by itself")
            own = self.named(node.id, point)
            if own is not None:
                if (node.id, point) not in self._needs:
                    found = frozenset(self._needed(_parsed(own), point, (*within, node.id)))
                    self._needs[node.id, point] = found
                yield from self._needs[node.id, point]
            elif self.axis_value(node.id, point) is None:
                yield point
        elif isinstance(node, ast.Attribute):
            yield point
        elif isinstance(node, ast.Call) and _called(node) in _ELSEWHERE:
            for other in self.elsewhere(node, point):
                looked_at = (node.args[0], other)
                if looked_at not in self._needs_elsewhere:
                    self._needs_elsewhere[looked_at] = frozenset(self._needed(*looked_at, within))
                yield from self._needs_elsewhere[looked_at]
        elif isinstance(node, ast.Call):
            for argument in node.args:
                yield from self._needed(argument, point, within)
        else:
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    yield from self._needed(part, point, within)

    def check(self, text: str, points: Iterable[Point], figure: Callable[[str], bool]) -> None:
        """Raises ExpressionError for what cannot be evaluated at one of the points; `figure` knows those of results."""
        try:
            for point in points:
                self.needed(text, point)  # nothing is defined by itself
                self._check(_parsed(text), point, figure)
        except RecursionError:
            raise ExpressionError("is nested too deeply") from None

    def _check(self, node: ast.expr, point: Point, figure: Callable[[str], bool]) -> None:
        if isinstance(node, ast.Constant):
            return
        if isinstance(node, ast.Name | ast.Attribute):
            self._check_name(node, point, figure)
        elif isinstance(node, ast.Call):
            name = _called(node)
            known = [*FUNCTIONS, *_ELSEWHERE]
            if name not in known:
                raise ExpressionError(f"no function {name}{meant(name, known, listed(sorted(known)))}")
            if name in _ELSEWHERE:
                for other in self.elsewhere(node, point):
                    if (node.args[0], other) not in self._checked_elsewhere:
                        self._check(node.args[0], other, figure)
                        self._checked_elsewhere.add((node.args[0], other))
                return
            _check_arguments(name, node)
            for argument in node.args:
                self._check(argument, point, figure)
        elif isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.Subscript):
            _operator_of(node)
            for part in ast.iter_child_nodes(node):
                if isinstance(part, ast.expr):
                    self._check(part, point, figure)
        else:
            raise ExpressionError("an expression has numbers, names, + - * / **, comparisons, x[y] and functions")

    def _check_name(self, node: ast.expr, point: Point, figure: Callable[[str], bool]) -> None:
        path = _path(node)
        if path is None:
            raise ExpressionError("a dot stands only within the name of a figure")
        own = self.named(path, point) if isinstance(node, ast.Name) else None
        if own is not None:
            if (path, point) not in self._checked:
                self._checked.add((path, point))
                self._check(_parsed(own), point, figure)
        elif isinstance(node, ast.Name) and (path == "run" or self.axis_value(path, point) is not None):
            return
        elif not figure(path):
            known = [*self._experiment.derived, *self._quantities, *figure_rows()]
            raise ExpressionError(f"no figure {path}{meant(path, known, '`ftlab figures` lists all')}")


def _check_arguments(name: str, node: ast.Call) -> None:
    if node.keywords:
        raise ExpressionError(f"{name} takes its arguments in order, without names")
    if inspect.isbuiltin(FUNCTIONS[name]):
        return  # as many as there are
    parameters = list(inspect.signature(FUNCTIONS[name]).parameters)
    if len(node.args) != len(parameters):
        raise ExpressionError(f"{name} takes {len(parameters)} arguments: {', '.join(parameters)}")


def _operator_of(node: ast.expr) -> Callable[..., Any]:
    if isinstance(node, ast.Subscript):
        return operator.getitem
    if isinstance(node, ast.Compare):
        found = _OPERATORS.get(type(node.ops[0])) if len(node.ops) == 1 else None
    else:
        found = _OPERATORS.get(type(node.op)) if isinstance(node, ast.BinOp | ast.UnaryOp) else None
    if found is None:
        raise ExpressionError("an expression has + - * / ** and one comparison at a time")
    return found


class Evaluator:
    """Values of expressions, given the runs: the results at a point, one for each seed."""

    def __init__(self, experiment: Experiment, runs: Callable[[Point], Samples]) -> None:
        self._expressions = Expressions(experiment)
        self._runs = runs
        self._known: dict[tuple[str, Point], Any] = {}

    def value(self, text: str, point: Point) -> Any:
        """A value, or Samples. Raises ExpressionError where a result lacks the figure."""
        if (text, point) not in self._known:
            self._known[text, point] = self._value(_parsed(text), point)
        return self._known[text, point]

    def _value(self, node: ast.expr, point: Point) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name | ast.Attribute):
            return self._of_name(_path(node) or "", point)
        if isinstance(node, ast.Call):
            return self._of_call(node, point)
        parts = [self._value(part, point) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
        return lifted(_operator_of(node), *parts)

    def _of_name(self, path: str, point: Point) -> Any:
        if "." not in path:
            own = self._expressions.named(path, point)
            if own is not None:
                return self.value(own, point)
            value = self._expressions.axis_value(path, point)
            if value is not None:
                return value
            if path == "run":
                return self._runs(point)
        return lifted(lambda run: _figure(run, path), self._runs(point))

    def _of_call(self, node: ast.Call, point: Point) -> Any:
        name = _called(node)
        if name in FUNCTIONS:
            return lifted(FUNCTIONS[name], *(self._value(argument, point) for argument in node.args))
        others = self._expressions.elsewhere(node, point)
        found = [self._value(node.args[0], other) for other in others]
        if name in _OVER_SEEDS:
            return _OVER_SEEDS[name](found[0] if isinstance(found[0], Samples) else Samples([found[0]]))
        if name == "mean":
            return functools.reduce(
                lambda sum_, one: lifted(operator.add, sum_, one),
                (lifted(operator.truediv, one, len(found)) for one in found),
                0.0,
            )
        if name in ("most", "least"):
            return functools.reduce(lambda a, b: lifted(max if name == "most" else min, a, b), found)
        if name == "each":
            return lifted(lambda *values: list(values), *found)
        if name == "along":
            axis = _word(node.keywords[0].value)
            names = [self._expressions.axis_value(axis, other) for other in others]
            numeric = all(isinstance(one, int | float) for one in names)
            return [
                (title, summarized(value).mean)
                for title, value in zip(names if numeric else map(str, names), found, strict=True)
            ]
        return found[0]


def _figure(run: Any, path: str) -> Any:
    value = entry_at(run, path)
    if value is None:
        raise ExpressionError(f"the result of a run has no figure {path}")
    return value
