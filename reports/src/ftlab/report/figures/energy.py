"""Energy for each MiB written: by cause and by operation, for each run and supply voltage."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import to_spec
from ftlab.report.figures.stacked import Bar, reserve_of, stacked, summary_of


def _bars(report: Report, by_cause: bool) -> list[Bar]:
    several = len({row.supply_v for row in report.energy_per_mib}) > 1
    return [
        Bar(
            f"{row.label}, {units.volts(row.supply_v)}" if several else row.label,
            row.by_cause_j if by_cause else row.by_operation_j,
        )
        for row in report.energy_per_mib
    ]


def _figure(report: Report, by_cause: bool) -> Figure:
    known = names.CAUSES if by_cause else names.OPERATIONS
    bars = _bars(report, by_cause)
    scale = units.energy_scale(max(row.total_j for row in report.energy_per_mib))
    scaled = [Bar(bar.label, {kind: value / scale.divisor for kind, value in bar.parts.items()}) for bar in bars]
    unit = f"{scale.unit}/MiB"
    word = "cause" if by_cause else "operation"
    voltages = sorted({row.supply_v for row in report.energy_per_mib}, reverse=True)
    at = " and ".join(units.volts(voltage) for voltage in voltages)
    return Figure(
        name=f"energy-by-{word}",
        title=f"Energy by {word}",
        caption=f"What the device draws for each MiB that the host writes, at {at}; "
        "standby is what it draws without working.",
        alt=summary_of(scaled, known, unit),
        spec=to_spec(stacked(f"energy_{word}", scaled, known, f"energy per MiB written, {unit}", unit)),
        reserve=reserve_of(bars),
    )


def make(report: Report) -> list[Figure]:
    if not report.energy_per_mib:
        return []
    return [_figure(report, by_cause=True), _figure(report, by_cause=False)]
