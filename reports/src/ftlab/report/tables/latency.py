"""Mean, its part in the host's queue, percentiles and maximum of latencies."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour

TITLES = {
    "mean_s": "Mean",
    "wait_mean_s": "In the queue",
    "p50_s": "Median",
    "p99_s": "99 %",
    "p999_s": "99.9 %",
    "max_s": "Slowest",
}


def _titles(report: Report) -> dict[str, str]:
    """Where nothing waited, nothing is said of waiting."""
    both = [latency for run in report.runs for latency in (run.result.write_latency, run.result.read_latency)]
    if any(latency.wait_mean_s > 0 for latency in both):
        return TITLES
    return {key: title for key, title in TITLES.items() if key != "wait_mean_s"}


def make(report: Report) -> list[Table]:
    rows = []
    titles = _titles(report)
    for index, run in enumerate(report.runs):
        for kind, latency in (("writes", run.result.write_latency), ("reads", run.result.read_latency)):
            if latency.count == 0:
                continue
            own = [getattr(latency, key) for key in titles]
            ensemble = run.result.ensemble
            over = {} if ensemble is None else ensemble.figures
            intervals = [over.get(f"latency.{kind.removesuffix('s')}.{key}") for key in titles]
            values = [it.mean if it else one for it, one in zip(intervals, own, strict=True)]
            spreads = [f"{units.seconds(it.low)} to {units.seconds(it.high)}" if it else "" for it in intervals]
            rows.append(
                (
                    Cell(run.label, swatch=run_colour(index)),
                    Cell(kind),
                    Cell(units.count(latency.count)),
                    *(Cell(units.seconds(it), sub=spread) for it, spread in zip(values, spreads, strict=True)),
                )
            )
    if not rows:
        return []
    columns = (
        Column("Run"),
        Column("Requests"),
        Column("Number", right=True),
        *(Column(title, right=True) for title in titles.values()),
    )
    return [
        Table(
            name="latency-table",
            title="Latencies",
            caption="From the arrival of a request in the host's queue to its completion.",
            columns=columns,
            rows=tuple(rows),
            row_heads=2,
        )
    ]
