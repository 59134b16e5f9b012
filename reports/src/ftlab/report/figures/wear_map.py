"""Erase counts as a map: a row for each device or die, its segments from left to right, a panel for each run.

A device's segments are those that follow each other in address order; large devices are drawn as means of neighbours.
"""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import AnyChart, Record, data, to_spec
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 80
MAX_ACROSS = 128  # tiles in a row
MAX_RUNS = 12
COLOURS = ("#fff3d6", "#f6b24a", "#c2571a", "#5c1f0a")  # few to many erasures


def unit_of(run: Run) -> str:
    """What of the run can be busy by itself."""
    return "device" if run.result.dies is None else "die"


def units_of(run: Run) -> str:
    return "devices" if run.result.dies is None else "dies"


def tiles(run: Run) -> list[Record]:
    """Long rows go on in the next line of the same device."""
    counts = run.result.wear.erase_counts
    devices = run.result.device.parallel_units
    each = -(-len(counts) // devices)
    across = min(MAX_ACROSS, each)
    lines = min(8, -(-each // across))
    group = -(-each // (across * lines))
    records: list[Record] = []
    for device in range(devices):
        own = counts[device * each : (device + 1) * each]
        for place, start in enumerate(range(0, len(own), group)):
            part = own[start : start + group]
            first = device * each + start
            line, column = divmod(place, across)
            records.append(
                {
                    "row": device * lines + line,
                    "below": device * lines + line + 1,
                    "from": column,
                    "to": column + 1,
                    "device": device,
                    "erases": sum(part) / len(part),
                    "segments": f"{first}" if len(part) == 1 else f"{first} to {first + len(part) - 1}",
                }
            )
    return records


def _panel(run: Run, largest: int) -> AnyChart:
    records = tiles(run)
    rows = 1 + max(int(str(record["row"])) for record in records)
    across = 1 + max(int(str(record["from"])) for record in records)
    devices = run.result.device.parallel_units
    lines = max(1, rows // devices)
    middles = [device * lines + lines / 2 for device in range(devices)]
    named = alt.Axis(
        values=middles,
        labelExpr=f"'{unit_of(run)} ' + floor(datum.value / {lines})",
        grid=False,
        ticks=False,
        domain=False,
        labelOverlap=True,
    )
    wear = run.result.wear
    facts = f"{units.count(wear.min)} to {units.count(wear.max)} erasures, mean {units.fixed(wear.mean, 2)}"
    panel: alt.Chart = (
        alt.Chart(data(records))
        .mark_rect(stroke=None)
        .encode(
            x=alt.X("from:Q", title=None, axis=None, scale=alt.Scale(domain=[0, across], nice=False)),
            x2="to:Q",
            y=alt.Y("row:Q", title=None, axis=named, scale=alt.Scale(domain=[rows, 0], nice=False)),
            y2="below:Q",
            color=alt.Color(
                "erases:Q",
                title="erase count",
                scale=alt.Scale(range=COLOURS, domain=[0, largest]),
                legend=alt.Legend(title="erase count", orient="top", gradientLength=160, gradientThickness=9),
            ),
            tooltip=[
                alt.Tooltip("device:O", title=unit_of(run)),
                alt.Tooltip("segments:N", title="segment"),
                alt.Tooltip("erases:Q", title="erasures", format=",.4~r"),
            ],
        )
        .properties(
            width=PAGE_WIDTH - AXIS_WIDTH,
            height=max(28, min(18, 160 // rows + 6) * rows),
            title=alt.Title(run.label, subtitle=facts),
        )
    )
    return panel


def make(report: Report) -> list[Figure]:
    runs = [run for run in report.runs if run.result.wear.erase_counts][:MAX_RUNS]
    if not runs:
        return []
    largest = max(max(run.result.wear.erase_counts) for run in runs) or 1
    left_out = len(report.runs) - len(runs)
    more = f" The first {MAX_RUNS} of {len(report.runs)} runs." if left_out else ""
    seeds = " Of the first seed." if any(run.result.ensemble for run in runs) else ""
    below = " or ".join(dict.fromkeys(map(units_of, runs)))
    worst = "; ".join(
        f"{run.label}: {units.count(run.result.wear.min)} to {units.count(run.result.wear.max)} erasures of "
        f"{len(run.result.wear.erase_counts)} segments on {run.result.device.parallel_units} {units_of(run)}"
        for run in runs
    )
    return [
        Figure(
            name="wear-map",
            title="Wear map at the end of the run",
            caption=f"Segments in address order, {below} below each other; the darker, the more often erased."
            f"{seeds}{more}",
            alt=f"{worst}.",
            spec=to_spec(alt.vconcat(*(_panel(run, largest) for run in runs), spacing=18)),
            reserve=AXIS_WIDTH,
        )
    ]
