"""The page's sections and what stands in each, in order.

A new figure or table is one module and one line here. Sections without any block are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ftlab.report import experiments
from ftlab.report.blocks import Block, Figure, figures_in
from ftlab.report.contents import Report
from ftlab.report.figures import (
    battery,
    comparison,
    deviation,
    energy,
    erase_counts,
    flame,
    latency,
    latency_parts,
    pareto_set,
    series,
    sweep_curves,
    sweep_heat,
    time_by_cause,
    timeline,
    trade_off,
    wear_map,
    wear_order,
    wear_over_time,
)
from ftlab.report.tables import battery as battery_table
from ftlab.report.tables import (
    causes,
    claims,
    core,
    differences,
    mounts,
    profile,
    provenance,
    reliability,
    reproduction,
    sensitivity,
    work,
)
from ftlab.report.tables import comparison as comparison_table
from ftlab.report.tables import latency as latency_table

Maker = Callable[[Report], Sequence[Block]]


@dataclass(frozen=True)
class Section:
    name: str
    title: str
    makers: tuple[Maker, ...]


SECTIONS: tuple[Section, ...] = (
    Section("differences-section", "Differences", (differences.make,)),
    Section("search", "Search", (pareto_set.make,)),
    Section("sweep", "Sweep", (sweep_curves.make, sweep_heat.make, trade_off.make)),
    Section("results", "Results", (comparison_table.make, comparison.make)),
    Section("time", "Time", (time_by_cause.make, causes.time, work.make)),
    Section("core-section", "Simulated core", (core.make, profile.cycles, flame.make, profile.functions)),
    Section("energy", "Energy", (energy.make, causes.energy, battery.make, battery_table.make)),
    Section("wear", "Wear", (wear_map.make, wear_over_time.make, erase_counts.make, wear_order.make, reliability.make)),
    Section("timeline", "Over time", (timeline.make,)),
    Section("mounts-section", "Losses of power", (mounts.make,)),
    Section("latency", "Latency", (latency.make, latency_parts.make, latency_table.make)),
    Section(
        "reproduction",
        "Paper against ours",
        (
            experiments.make,
            claims.make,
            deviation.make,
            series.make,
            sensitivity.make,
            reproduction.not_reproduced,
            reproduction.parameters,
        ),
    ),
    Section("provenance-section", "Provenance", (provenance.make,)),
)


@dataclass(frozen=True)
class Filled:
    section: Section
    blocks: tuple[Block, ...]


def _together(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Blocks of one group stand together, groups in the order of their first block."""
    order = list(dict.fromkeys(block.group for block in blocks))
    return tuple(sorted(blocks, key=lambda block: order.index(block.group)))


def fill(report: Report) -> list[Filled]:
    """Every section that has something to show."""
    filled = [
        Filled(section, _together([block for maker in section.makers for block in maker(report)]))
        for section in SECTIONS
    ]
    return [item for item in filled if item.blocks]


def figures_of(filled: Sequence[Filled]) -> list[Figure]:
    """All that may be seen, in the order of the page."""
    return [figure for item in filled for block in item.blocks for figure in figures_in(block)]
