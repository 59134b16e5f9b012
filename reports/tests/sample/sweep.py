"""A sweep over two axes, its table beside it."""

from __future__ import annotations

from pathlib import Path

FIGURES = {"write_amplification": "", "throughput.write_bytes_per_s": "B/s"}
SELECTIONS = ("greedy", "cost_benefit", "cat")
UTILIZATIONS = (0.5, 0.6, 0.7, 0.8, 0.9)


def description() -> dict[str, object]:
    figures = [{"path": path, "unit": unit, "help": f"what {path} means"} for path, unit in FIGURES.items()]
    axes = ["ftl.selection", "ftl.utilization"]
    return {"schema": "ftlab-sweep", "version": 1, "name": "full", "seeds": 3, "axes": axes, "figures": figures}


def table() -> str:
    head = ["ftl.selection", "ftl.utilization", *(f"{path}.{part}" for path in FIGURES for part in ("mean", "ci95"))]
    lines = [",".join(head)]
    for index, selection in enumerate(SELECTIONS):
        for share in UTILIZATIONS:
            amplification = 1 + share / (1.05 - share) / (3 + index)
            lines.append(f"{selection},{share},{amplification},0.05,{150000 / amplification},900")
    return "\n".join(lines) + "\n"


def write_table(directory: Path) -> None:
    (directory / "table.csv").write_text(table(), encoding="utf-8")
