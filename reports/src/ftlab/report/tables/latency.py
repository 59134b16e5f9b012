"""Mean, percentiles and maximum of response times."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour

TITLES = ("Mean", "Median", "99 %", "99.9 %", "Slowest")


def make(report: Report) -> list[Table]:
    rows = []
    for index, run in enumerate(report.runs):
        for kind, latency in (("writes", run.result.write_latency), ("reads", run.result.read_latency)):
            if latency.count == 0:
                continue
            values = (latency.mean_s, latency.p50_s, latency.p99_s, latency.p999_s, latency.max_s)
            rows.append(
                (
                    Cell(run.label, swatch=run_colour(index)),
                    Cell(kind),
                    Cell(units.count(latency.count)),
                    *(Cell(units.seconds(value)) for value in values),
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
