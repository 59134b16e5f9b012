"""Result files of realistic size and shape, made from a seed. Invented numbers; only the format is real."""

from __future__ import annotations

import json
from pathlib import Path

from sample.array import array_result
from sample.profile import FOLDED, core_result, write_profiled
from sample.reproduction import reproduction, weighed
from sample.result import POLICIES, Json, empty_latency, result
from sample.study import study
from sample.sweep import description, grid, grid_description, traded_description, write_table, write_traded_table

__all__ = [
    "FOLDED",
    "POLICIES",
    "Json",
    "array_result",
    "core_result",
    "empty_latency",
    "reproduction",
    "result",
    "study",
    "weighed",
    "write_grid",
    "write_json",
    "write_profiled",
    "write_study",
    "write_sweep",
    "write_trade_off",
    "write_weighed",
]


def write_json(path: Path, value: Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")


def write_study(directory: Path) -> Path:
    """A directory with a study, its runs and a reproduction."""
    write_json(directory / "study.json", study())
    for index, policy in enumerate(POLICIES):
        write_json(directory / "runs" / str(index) / "result.json", result(policy))
    write_json(directory / "reproduce.json", reproduction())
    return directory


def write_sweep(directory: Path) -> Path:
    """A directory with a sweep and its table."""
    write_json(directory / "sweep.json", description())
    write_table(directory)
    return directory


def write_grid(directory: Path, axes: dict[str, list[str]], figures: list[dict[str, str]]) -> Path:
    """A sweep over any axes, whose figures are the number of the point, from 1000 on."""
    write_json(directory / "sweep.json", grid_description(list(axes), figures))
    (directory / "table.csv").write_text(grid(axes, figures), encoding="utf-8")
    return directory


def write_trade_off(directory: Path, lacking: str = "") -> Path:
    """A sweep whose figures pull against each other; no point has the one that is lacking."""
    write_json(directory / "sweep.json", traded_description())
    write_traded_table(directory, lacking)
    return directory


def write_weighed(directory: Path) -> Path:
    """An experiment whose rows are weighed against each other."""
    write_json(directory / "reproduce.json", weighed())
    return directory
