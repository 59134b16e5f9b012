"""Each loss of power of the runs that plan some, and the mount after it."""

from __future__ import annotations

from ftlab.report import units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report
from ftlab.report.figures.draw import run_colour
from ftlab.report.model.mounts import DataRam, MountOperations

#: Rows of a run; of more losses the longest mounts are shown, in the order of the losses.
MOST = 20


def make(report: Report) -> list[Table]:
    rows = []
    left_out = 0
    buffered = any(one.data_ram for run in report.runs for one in run.result.mounts)
    for index, run in enumerate(report.runs):
        mounts = run.result.mounts
        longest = sorted(range(len(mounts)), key=lambda place: (-mounts[place].mount_s, place))[:MOST]
        left_out += len(mounts) - len(longest)
        for place in sorted(longest):
            one = mounts[place]
            ended = Cell("mounted") if one.mounted else Cell("lost again, or failed", tone="bad")
            rows.append(
                (
                    Cell(run.label, swatch=run_colour(index)),
                    Cell(units.count(place + 1), sub=f"at {units.seconds(one.at_s)}"),
                    Cell(units.count(one.requests)),
                    Cell(units.count(one.in_flight)),
                    *((_data_ram(one.data_ram),) if buffered else ()),
                    *_counts(one.operations),
                    Cell(units.seconds(one.mount_s)),
                    Cell(units.joules(one.mount_j)),
                    ended,
                )
            )
    if not rows:
        return []
    shown = f" The {MOST} longest of a run are shown, {units.count(left_out)} are left out." if left_out else ""
    return [
        Table(
            name="mounts",
            title="Mounts after losses of power",
            caption="From each loss to the end of the mount; the energy is that of operations with the cause mount, "
            "the counts are those of the part, whatever their cause." + shown,
            columns=(
                Column("Run"),
                Column("Loss"),
                Column("Requests before", right=True),
                Column("Sent again", right=True),
                *((Column("Writes in data RAM", right=True),) if buffered else ()),
                Column("Programs torn", right=True),
                Column("Erases torn", right=True),
                Column("Reads", right=True),
                Column("Programs", right=True),
                Column("Erases", right=True),
                Column("Time", right=True),
                Column("Energy", right=True),
                Column("End"),
            ),
            rows=tuple(rows),
            row_heads=2,
        )
    ]


def _data_ram(found: DataRam | None) -> Cell:
    if found is None:
        return Cell("")
    size = units.bytes_text(found.bytes)
    if not found.saved:
        return Cell(f"{size} lost", tone="bad" if found.bytes else "")
    return Cell(f"{size} saved", sub=f"held up {units.seconds(found.hold_up_s)}, {units.joules(found.hold_up_j)}")


def _counts(operations: MountOperations | None) -> tuple[Cell, ...]:
    """Of a result that says none each is left empty."""
    if operations is None:
        return (Cell(""),) * 5
    counts = (
        operations.torn_programs,
        operations.torn_erases,
        operations.reads,
        operations.programs,
        operations.erases,
    )
    return tuple(Cell(units.count(count)) for count in counts)
