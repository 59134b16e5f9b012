"""Mean, percentiles and maximum of response times."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour

KEYS = ("mean_s", "p50_s", "p99_s", "p999_s", "max_s")
TITLES = ("Mean", "Median", "99 %", "99.9 %", "Slowest")


def make(report: Report) -> list[Table]:
    rows = []
    for index, run in enumerate(report.runs):
        for kind, latency in (("writes", run.result.write_latency), ("reads", run.result.read_latency)):
            if latency.count == 0:
                continue
            own = (latency.mean_s, latency.p50_s, latency.p99_s, latency.p999_s, latency.max_s)
            ensemble = run.result.ensemble
            over = {} if ensemble is None else ensemble.figures
            intervals = [over.get(f"latency.{kind.removesuffix('s')}.{key}") for key in KEYS]
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
        *(Column(title, right=True) for title in TITLES),
    )
    return [Table(name="latency-table", title="Response times", columns=columns, rows=tuple(rows), row_heads=2)]
