"""A search finds what trying everything would have found, and goes the same way each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ftlab
from ftlab.commands import main
from ftlab.sweeps.axes import Range, Space
from ftlab.sweeps.journal import Outcome
from ftlab.sweeps.search import Objective, find, pareto
from program import needs_program

_STUDY = """[study]
part = "series2plus-4mb"
workload.total_mib = 2
workload.kind = "uniform"
"""
_OBJECTIVES = """[objectives]
"throughput.write_bytes_per_s" = "max"
"device.logical_bytes" = "max"
"""
_LARGE = """[axes]
"ftl.utilization" = { from = 0.30, to = 0.95, steps = 40 }
"ftl.selection" = ["greedy", "cost_benefit", "cat"]
"ftl.redistribution" = ["sequential", "segment_based", "fine_grained"]
"ftl.page_bytes" = [512, 1024, 2048, 4096, 8192, 16384, 32768]
"ftl.high_water" = [3, 4, 5, 6]
"""
_REDUCED = """[axes]
"ftl.utilization" = { from = 0.30, to = 0.95, steps = 10 }
"ftl.selection" = ["greedy", "cat"]
"ftl.redistribution" = ["sequential", "fine_grained"]
"ftl.page_bytes" = [512, 1024, 4096, 8192, 32768]
"ftl.high_water" = [3, 5]
"""
_FIGURES = ["throughput.write_bytes_per_s.mean", "device.logical_bytes.mean"]


def _area(table: pd.DataFrame) -> float:
    """What is dominated in two figures to be maximised, from the origin."""
    rows = table[_FIGURES].dropna().sort_values(_FIGURES[0], ascending=False).itertuples(index=False)
    area, reached = 0.0, 0.0
    for x, y in rows:
        if y > reached:
            area += x * (y - reached)
            reached = y
    return area


@pytest.mark.shared
@needs_program
def test_in_300_runs_of_10080_points_the_front_is_as_good_as_an_exhaustive_one(tmp_path: Path) -> None:
    (tmp_path / "all.toml").write_text(
        f'figures = ["throughput.write_bytes_per_s", "device.logical_bytes"]\n{_STUDY}{_REDUCED}'
    )
    assert main(["sweep", str(tmp_path / "all.toml"), "--out", str(tmp_path / "all"), "-q"]) == 0
    (tmp_path / "search.toml").write_text(f"runs = 300\n{_OBJECTIVES}{_STUDY}{_LARGE}")
    assert main(["optimize", str(tmp_path / "search.toml"), "--out", str(tmp_path / "search"), "-q"]) == 0
    everything = pd.read_parquet(tmp_path / "all" / "table.parquet")
    found = pd.read_parquet(tmp_path / "search" / "table.parquet")
    assert len(everything) == 400
    assert len(found) == 300
    assert _area(found[found["pareto"]]) == _area(found)
    assert _area(found) >= 0.95 * _area(everything)


@needs_program
def test_search_that_goes_on_ends_as_one_that_never_stopped(tmp_path: Path) -> None:
    path = tmp_path / "search.toml"
    path.write_text(f"runs = 24\n{_OBJECTIVES}{_STUDY}{_REDUCED}")
    assert main(["optimize", str(path), "--out", str(tmp_path / "whole"), "-q"]) == 0
    (tmp_path / "part").mkdir()
    lines = (tmp_path / "whole" / "runs.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "part" / "runs.jsonl").write_bytes(b"".join(lines[:11]) + lines[11][:20])
    assert main(["optimize", str(path), "--out", str(tmp_path / "part"), "--jobs", "1", "-q"]) == 0
    assert (tmp_path / "part" / "table.csv").read_bytes() == (tmp_path / "whole" / "table.csv").read_bytes()


@needs_program
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{_STUDY}{_REDUCED}", "objectives: must be a table such as"),
        (f'[objectives]\n"flash.erase" = "min"\n{_STUDY}{_REDUCED}', ":1: objectives: no figure flash.erase; did you mean 'flash.erases'"),
        (f'[objectives]\n"flash.erases" = "less"\n{_STUDY}{_REDUCED}', ':2: objectives.flash.erases: must be "min" or "max"'),
        (f"runs = 2\nseeds = 5\n{_OBJECTIVES}{_STUDY}{_REDUCED}", ":1: runs: must be a whole number from 5 to"),
        (f'[objectives]\n"flash.erases" = "min"\nflash.erases = "min"\n{_STUDY}{_REDUCED}', ":1: objectives: flash.erases is there twice"),
        (f"runs = 0\n{_OBJECTIVES}{_STUDY}{_REDUCED}", ":1: runs: must be a whole number from 1 to"),
    ],
)  # fmt: skip
def test_mistake_is_named_with_line_and_fix(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, line: str
) -> None:
    path = tmp_path / "search.toml"
    path.write_text(text)
    assert main(["optimize", str(path), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


@needs_program
def test_objective_that_no_run_has_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "search.toml").write_text(
        f'runs = 2\n[objectives]\n"time.by_cause_s.nonsense" = "min"\n{_STUDY}{_REDUCED}'
    )
    assert main(["optimize", str(tmp_path / "search.toml"), "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == (
        f"ftlab: error: {tmp_path}/search.toml:3: objectives.time.by_cause_s.nonsense: no run has this figure, so nothing was "
        "found; choose another one\n"
    )


@needs_program
def test_points_that_failed_are_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "search.toml"
    path.write_text(f'runs = 2\n[objectives]\n"flash.erases" = "min"\n{_STUDY}[axes]\n"ftl.utilization" = [0.5, 1.5]\n')
    assert main(["optimize", str(path), "--out", str(tmp_path / "out")]) == 0
    assert f"ftlab: note: 1 of 2 points failed, the first because of: {path}:" in capsys.readouterr().err


def _from_python(**more: Any) -> pd.DataFrame:
    study = {"part": "series2plus-4mb", "workload": {"total_mib": 2, "kind": "uniform"}}
    axes = {
        "ftl.utilization": {"from": 0.30, "to": 0.95, "steps": 10},
        "ftl.selection": ["greedy", "cat"],
        "ftl.redistribution": ["sequential", "fine_grained"],
        "ftl.page_bytes": [512, 1024, 4096, 8192, 32768],
        "ftl.high_water": [3, 5],
    }
    objectives = {"throughput.write_bytes_per_s": "max", "device.logical_bytes": "max"}
    return ftlab.optimize(study, axes, objectives, **more)


@needs_program
def test_search_from_python_goes_as_that_of_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "search.toml").write_text(f"runs = 16\nsearch_seed = 3\n{_OBJECTIVES}{_STUDY}{_REDUCED}")
    assert main(["optimize", str(tmp_path / "search.toml"), "--out", str(tmp_path / "command"), "-q"]) == 0
    table = _from_python(runs=16, search_seed=3, out=tmp_path / "python")
    assert (tmp_path / "python" / "table.csv").read_bytes() == (tmp_path / "command" / "table.csv").read_bytes()
    assert len(table) == 16
    assert list(table.columns[5:7]) == ["pareto", "throughput.write_bytes_per_s.mean"]
    loaded = ftlab.load(tmp_path / "python")
    assert isinstance(loaded, pd.DataFrame)
    assert loaded.attrs == table.attrs
    assert table.attrs["ftlab_sweep"]["objectives"][0] == {"figure": "throughput.write_bytes_per_s", "wanted": "max"}
    again = ftlab.optimize(tmp_path / "search.toml")
    pd.testing.assert_frame_equal(again, table)
    assert len(ftlab.optimize(tmp_path / "search.toml", runs=8)) == 8


@needs_program
def test_search_from_python_that_finds_nothing_says_why() -> None:
    with pytest.raises(ftlab.InputError, match=r"objectives\.time\.by_cause_s\.nonsense: no run has this figure"):
        ftlab.optimize({"part": "series2plus-4mb"}, {"ftl.selection": ["cat"]}, {"time.by_cause_s.nonsense": "min"})
    with pytest.raises(ftlab.InputError, match="no run worked, so nothing was found; the first one: .*utilization"):
        ftlab.optimize({}, {"ftl.utilization": [2.0]}, {"flash.erases": "min"})
    with pytest.raises(ftlab.InputError, match="objectives: must be a table"):
        ftlab.optimize({}, {"ftl.utilization": [0.5]})


def _evaluate(points: list[dict[str, float]]) -> list[list[Outcome]]:
    return [
        [Outcome({}, reason="too large") if p["x"] > 90 else Outcome({"a": float(p["x"]), "b": p["y"] - p["x"] * 0.01})]
        for p in points
    ]


def test_small_space_is_searched_whole_though_points_fail_and_continuous_ones_within_their_range() -> None:
    space = Space([[{"x": x} for x in range(0, 100, 10)], [{"y": y} for y in (0.0, 1.0)]])
    objectives = [Objective("a", maximize=True), Objective("b", maximize=False)]
    points = find(space, {}, objectives, 50, 1, _evaluate)
    assert sorted(map(repr, points)) == sorted(map(repr, space.points()))
    drawn = find(Space([[{"x": 1}]]), {"y": Range(2.0, 4.0)}, objectives, 20, 1, _evaluate)
    assert len(drawn) == 20
    assert all(2.0 <= point["y"] <= 4.0 for point in drawn)
    assert drawn == find(Space([[{"x": 1}]]), {"y": Range(2.0, 4.0)}, objectives, 20, 1, _evaluate)


@pytest.mark.parametrize("ranges", [{"x": Range(1, 3, whole=True)}, {"x": Range(1, 160, log=True, whole=True)}])
def test_search_ends_when_ranges_hold_fewer_points_than_it_may_run(ranges: dict[str, Range]) -> None:
    """The second one has a point that no draw hits, and ends all the same."""
    points = find(Space([[{"y": 1.0}]]), ranges, [Objective("a", maximize=True)], 1000, 1, _evaluate)
    assert len({repr(point) for point in points}) == len(points)
    assert len(points) <= ranges["x"].size()


def test_pareto_set_holds_what_none_beats_ties_included() -> None:
    objectives = [Objective("a", maximize=True), Objective("b", maximize=False)]
    values: list[list[float] | None] = [[1, 1], [2, 2], [1, 2], [2, 2], None, [0, 0]]
    assert pareto(values, objectives) == [True, True, False, True, False, True]
