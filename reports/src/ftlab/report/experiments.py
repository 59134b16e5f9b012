"""One experiment after the other: its table, or one for each group of rows that are weighed against each other, and
behind it what is weighed."""

from __future__ import annotations

from ftlab.report.blocks import Block
from ftlab.report.contents import Report
from ftlab.report.figures import experiment_trade_off
from ftlab.report.tables.reproduction import table_of


def make(report: Report) -> list[Block]:
    if report.reproduction is None:
        return []
    found: list[Block] = []
    for experiment in report.reproduction.experiments:
        if not experiment.rows:
            continue
        for nth, (label, rows) in enumerate(experiment.weighed(), start=1):
            found += [table_of(rows, label, nth), *experiment_trade_off.blocks(rows, label, nth)]
    return found
