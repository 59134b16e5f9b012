"""A sweep over two axes, its table beside it; and one whose figures pull against each other."""

from __future__ import annotations

import itertools
from pathlib import Path

FIGURES = {"write_amplification": "", "throughput.write_bytes_per_s": "B/s"}
SELECTIONS = ("greedy", "cost_benefit", "cat")
COUNTS = ("runs", "ended_early", "failed", "reason")
UTILIZATIONS = (0.5, 0.6, 0.7, 0.8, 0.9)


def description() -> dict[str, object]:
    figures = [{"path": path, "unit": unit, "help": f"what {path} means"} for path, unit in FIGURES.items()]
    axes = ["ftl.selection", "ftl.utilization"]
    return {"schema": "ftlab-sweep", "version": 1, "name": "full", "seeds": 3, "axes": axes, "figures": figures}


def table() -> str:
    head = [
        "ftl.selection",
        "ftl.utilization",
        *(f"{path}.{part}" for path in FIGURES for part in ("mean", "ci95")),
        *COUNTS,
    ]
    lines = [",".join(head)]
    for index, selection in enumerate(SELECTIONS):
        for share in UTILIZATIONS:
            amplification = 1 + share / (1.05 - share) / (3 + index)
            lines.append(f"{selection},{share},{amplification},0.05,{150000 / amplification},900,3,0,0,")
    return "\n".join(lines) + "\n"


def write_table(directory: Path) -> None:
    (directory / "table.csv").write_text(table(), encoding="utf-8")


def grid_description(axes: list[str], figures: list[dict[str, str]]) -> dict[str, object]:
    return description() | {"name": "grid", "seeds": 1, "axes": axes, "figures": figures}


def grid(axes: dict[str, list[str]], figures: list[dict[str, str]]) -> str:
    lines = [
        ",".join([*axes, *(f"{figure['path']}.{part}" for figure in figures for part in ("mean", "ci95")), *COUNTS])
    ]
    for number, point in enumerate(itertools.product(*axes.values())):
        lines.append(",".join([*point, *(f"{1000 + number}," for _ in figures), "1,0,0,"]))
    return "\n".join(lines) + "\n"


_TRADED = {
    "write_amplification": "", "energy.j_per_host_mib": "J/MiB", "latency.write.p99_s": "s",
    "throughput.write_bytes_per_s": "B/s",
}  # fmt: skip


def traded_description() -> dict[str, object]:
    return description() | {"figures": [{"path": path, "unit": unit, "help": path} for path, unit in _TRADED.items()]}


def write_traded_table(directory: Path, lacking: str) -> None:
    lines = [
        "ftl.selection,ftl.utilization,"
        + ",".join(f"{path}.mean,{path}.ci95" for path in _TRADED)
        + ","
        + ",".join(COUNTS)
    ]
    for index, selection in enumerate(SELECTIONS):
        for share in UTILIZATIONS:
            amplification = 1 + share / (1.05 - share) / (3 + index)
            response = (1.6 - share) / (1 + 0.3 * index)  # of full cards short, as throughput is low
            values = (amplification, 3 + 2 * share - 0.4 * index, response, 150000 / amplification)
            cells = ["," if path == lacking else f"{value}," for path, value in zip(_TRADED, values, strict=True)]
            lines.append(f"{selection},{share}," + ",".join(cells) + ",1,0,0,")
    (directory / "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
