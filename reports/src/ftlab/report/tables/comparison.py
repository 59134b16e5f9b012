"""The main table: figures of merit down, runs across, change against the baseline under each value."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import run_colour
from ftlab.report.metrics import METRICS, Metric
from ftlab.report.model.result import Result

ARROWS = {"less": "↓", "more": "↑", "": ""}


def tone(metric: Metric, value: float, base: float) -> str:
    """Better or worse than the baseline by more than half a per cent."""
    if not metric.better or base == 0 or abs(value / base - 1) < 0.005:
        return ""
    return "good" if (value < base) == (metric.better == "less") else "bad"


def _interval(metric: Metric, result: Result) -> str:
    if result.ensemble is None or metric.ensemble_key not in result.ensemble.figures:
        return ""
    interval = result.ensemble.figures[metric.ensemble_key]
    seeds = len(result.ensemble.seeds)
    return f"{seeds} seeds: {metric.text(interval.mean)} ({metric.text(interval.low)} to {metric.text(interval.high)})"


def _cell(metric: Metric, run: Run, base: Run | None) -> Cell:
    value = metric.value(run.result)
    if value is None:
        return Cell("–", tone="muted")
    ensemble = _interval(metric, run.result)
    if base is None or base is run:
        return Cell(metric.text(value), sub=ensemble)
    base_value = metric.value(base.result)
    if not base_value:
        return Cell(metric.text(value), sub=ensemble)
    change = units.change(value, base_value)
    return Cell(
        metric.text(value), sub=" · ".join(filter(None, (change, ensemble))), tone=tone(metric, value, base_value)
    )


def make(report: Report) -> list[Table]:
    if not report.runs:
        return []
    base = report.baseline_run() if len(report.runs) > 1 else None
    rows = []
    for metric in METRICS:
        cells = tuple(_cell(metric, run, base) for run in report.runs)
        if all(cell.text == "–" for cell in cells):
            continue
        arrow = ARROWS[metric.better] if base else ""
        rows.append((Cell(f"{metric.title} {arrow}".strip()), *cells))
    columns = (
        Column(""),
        *(Column(run.label, right=True, swatch=run_colour(index)) for index, run in enumerate(report.runs)),
    )
    against = (
        f" {ARROWS['less']} less is better, {ARROWS['more']} more is better. Small: against {report.baseline}."
        if base
        else ""
    )
    ensemble = any(run.result.ensemble for run in report.runs)
    intervals = " Where several seeds were run: their mean and its 95 % interval." if ensemble else ""
    return [
        Table(
            name="figures-of-merit",
            title="Figures of merit" if base is None else "The runs side by side",
            columns=columns,
            rows=tuple(rows),
            caption=f"All figures are simulated.{against}{intervals}",
        )
    ]
