"""Plots of an experiment, as reproduce.json has them (docs/results.md). Of lines, the first seed is drawn."""

from __future__ import annotations

from ftlab.reproduce.cells import Json
from ftlab.reproduce.expression import PROBLEMS, Evaluator, said
from ftlab.reproduce.samples import Samples, summarized
from ftlab.reproduce.spec import Experiment, Plot, PlotAxis, Point, Series


def plots_of(experiment: Experiment, points: list[Point], rows: list[Json], values: Evaluator) -> list[Json]:
    """`rows` are those of `points`."""
    return [_plot(experiment, plot, points, rows, values) for plot in experiment.plots]


def _plot(experiment: Experiment, plot: Plot, points: list[Point], rows: list[Json], values: Evaluator) -> Json:
    series: list[Json] = []
    for one in plot.series:
        if one.quantity:
            series.append(_bars(experiment, one, points, rows))
        else:
            series += [
                _line(experiment, one, point, values) for point in points if experiment.matches(point, one.where)
            ]
    texts = any(isinstance(point["x"], str) for one in series for point in one["points"])
    if texts != (plot.x.scale == "category"):
        problem = (
            "x values are texts, so it must be 'category'" if texts else "'category' is for x values that are texts"
        )
        raise experiment.file.refuse("plots.x.scale", f"{plot.name}: {problem}")
    caption = {"caption": plot.caption} if plot.caption else {}
    axes = {"x": _axis(plot.x), "y": _axis(plot.y)}
    return {"name": plot.name, "title": plot.title, **caption, "kind": plot.kind, **axes, "series": series}


def _axis(axis: PlotAxis) -> Json:
    return {"title": axis.title, "unit": axis.unit, "scale": axis.scale}


def _bars(experiment: Experiment, series: Series, points: list[Point], rows: list[Json]) -> Json:
    """A bar for each row: its cell of the quantity."""
    bars = []
    for point, row in zip(points, rows, strict=True):
        if not experiment.matches(point, series.where):
            continue
        cells = [cell for cell in row["cells"] if cell["quantity"] == series.quantity]
        heights = [cell["paper" if series.paper else "ours"] for cell in cells]
        bars += [{"x": experiment.label(point), "y": height} for height in heights if height is not None]
    return {"label": series.label or ("paper" if series.paper else "ftlab"), "paper": series.paper, "points": bars}


def _line(experiment: Experiment, series: Series, point: Point, values: Evaluator) -> Json:
    try:
        value = values.value(series.points, point)
        found = value[0] if isinstance(value, Samples) else value
        points = [{"x": x, "y": summarized(y).mean} for x, y in found]
    except PROBLEMS as problem:
        raise experiment.file.refuse("plots.series", f"{experiment.label(point)}: {said(problem)}") from None
    return {"label": series.label or _label(experiment, series, point), "paper": series.paper, "points": points}


def _label(experiment: Experiment, series: Series, point: Point) -> str:
    """What tells the rows of a series apart."""
    fixed = [axis for axis, names in series.where.items() if len(names) == 1]
    titles = [title for axis, title in experiment.titles(point).items() if axis not in fixed]
    return ", ".join(titles) or experiment.label(point)
