"""The battery estimate in numbers."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report


def make(report: Report) -> list[Table]:
    battery = report.battery
    if battery is None or not battery.rows:
        return []
    rows = tuple(
        (
            Cell(row.label),
            Cell(units.volts(row.supply_v)),
            Cell(f"{units.joules(row.j_per_host_mib)}/MiB"),
            Cell(f"{units.significant(row.mib_per_charge)} MiB"),
            Cell("–" if row.hours_per_charge is None else f"{units.significant(row.hours_per_charge)} h"),
        )
        for row in battery.rows
    )
    return [
        Table(
            name="battery-table",
            title="One battery charge",
            caption=battery.description,
            columns=(
                Column("Run"),
                Column("Supply", right=True),
                Column("Energy", right=True),
                Column("Written on one charge", right=True),
                Column("Lasts", right=True),
            ),
            rows=rows,
        )
    ]
