"""The main table: figures of merit down, runs across, change against the baseline under each value."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import run_colour
from ftlab.report.metrics import ARROWS, METRICS, Metric, wanted
from ftlab.report.model.result import Result


def _span(metric: Metric, result: Result, mean: float) -> tuple[float, float]:
    """What the seeds leave open; of one seed the value itself."""
    interval = metric.interval(result)
    return (mean, mean) if interval is None else (interval.low, interval.high)


def tone(metric: Metric, result: Result, base: Result) -> str:
    """Better or worse than the baseline by more than half a per cent, and by more than the seeds leave open."""
    value, base_value = metric.mean(result), metric.mean(base)
    if not metric.better or value is None or not base_value or abs(value / base_value - 1) < 0.005:
        return ""
    low, high = _span(metric, result, value)
    base_low, base_high = _span(metric, base, base_value)
    if low <= base_high and base_low <= high:
        return ""
    return "good" if (value < base_value) == (metric.better == "less") else "bad"


def _spread(metric: Metric, result: Result) -> str:
    interval = metric.interval(result)
    return "" if interval is None else f"{metric.text(interval.low)} to {metric.text(interval.high)}"


def _cell(metric: Metric, run: Run, base: Run | None, judged: bool) -> Cell:
    value = metric.mean(run.result)
    if value is None:
        return Cell("–", tone="muted")
    spread = _spread(metric, run.result)
    base_value = None if base is None or base is run else metric.mean(base.result)
    if base is None or not base_value:
        return Cell(metric.text(value), sub=spread)
    change = units.change(value, base_value)
    verdict = tone(metric, run.result, base.result) if judged else ""
    return Cell(metric.text(value), sub=" · ".join(filter(None, (change, spread))), tone=verdict)


def intervals_of(report: Report) -> str:
    """How many seeds the figures are means of, and what that means for their comparison."""
    counts = sorted({len(run.result.ensemble.seeds) for run in report.runs if run.result.ensemble is not None})
    if not counts:
        return ""
    seeds = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    overlap = f" Where an interval overlaps that of {report.baseline}, neither run is called better."
    unsure = overlap if len(report.runs) > 1 and report.comparable else ""
    return f" Means of {seeds} seeds, with the 95 % interval of the mean.{unsure}"


def make(report: Report) -> list[Table]:
    if not report.runs:
        return []
    base = report.baseline_run() if len(report.runs) > 1 else None
    rows = []
    for metric in METRICS:
        if not metric.has_news([run.result for run in report.runs]):
            continue
        cells = tuple(_cell(metric, run, base, report.comparable) for run in report.runs)
        arrow = ARROWS[metric.better] if base and report.comparable else ""
        rows.append((Cell(f"{metric.title} {arrow}".strip()), *cells))
    columns = (
        Column(""),
        *(Column(run.label, right=True, swatch=run_colour(index)) for index, run in enumerate(report.runs)),
    )
    against = f"{wanted(report.comparable)} Small: against {report.baseline}." if base else ""
    return [
        Table(
            name="figures-of-merit",
            title="Figures of merit" if base is None else "The runs side by side",
            columns=columns,
            rows=tuple(rows),
            caption=f"All figures are simulated.{against}{intervals_of(report)}",
        )
    ]
