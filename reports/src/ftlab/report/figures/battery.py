"""How much one battery charge writes, for each run and supply voltage."""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, run_scale, to_spec
from ftlab.report.figures.labels import Names
from ftlab.report.theme import PAGE_WIDTH


def make(report: Report) -> list[Figure]:
    battery = report.battery
    if battery is None or not battery.rows:
        return []
    records: list[Record] = [
        {
            "row": f"{row.label}, {units.volts(row.supply_v)}",
            "run": row.label,
            "mib": row.mib_per_charge,
            "text": f"{units.significant(row.mib_per_charge)} MiB",
            "energy": f"{units.joules(row.j_per_host_mib)}/MiB",
            "hours": "" if row.hours_per_charge is None else f"{units.significant(row.hours_per_charge)} h",
        }
        for row in battery.rows
    ]
    largest = max(row.mib_per_charge for row in battery.rows)
    names = Names(tuple(str(record["row"]) for record in records))
    reserve = names.width + 20
    y = alt.Y("row:N", sort=None, title=None, axis=names.axis())
    x = alt.X(
        "mib:Q",
        title="MiB written on one charge",
        scale=alt.Scale(domain=[0, largest * 1.12], nice=False),
        axis=alt.Axis(format=",~r", tickCount=6),
    )
    bars = (
        alt.Chart(data(records))
        .mark_bar(height={"band": 0.72})
        .encode(
            y=y,
            x=x,
            color=alt.Color("run:N", scale=run_scale(report), legend=None),
            tooltip=[
                alt.Tooltip("row:N", title="run"),
                alt.Tooltip("text:N", title="on one charge"),
                alt.Tooltip("energy:N", title="energy"),
                alt.Tooltip("hours:N", title="lasts"),
            ],
        )
    )
    texts = alt.Chart(data(records)).mark_text(align="left", dx=6, fontWeight=600).encode(y=y, x=x, text="text:N")
    chart = alt.layer(bars, texts).properties(
        width=PAGE_WIDTH - reserve, height=max(34, names.row_height) * len(records)
    )
    estimate = " (an estimate)" if battery.estimate else ""
    return [
        Figure(
            name="battery",
            title="What if it ran on a battery",
            caption=f"{battery.description} Capacity {units.joules(battery.capacity_j)}{estimate}: {battery.source}.",
            alt="; ".join(f"{record['row']}: {record['text']}" for record in records) + ".",
            spec=to_spec(chart),
            reserve=reserve,
        )
    ]
