"""Points of a sweep that failed, and those that the device's end of life cut short: the page says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ftlab.report.blocks import Figure
from ftlab.report.load import load_report
from ftlab.report.registry import figures_of, fill

_HEAD = "ftl.selection,ftl.utilization,{}write_amplification.mean,write_amplification.ci95,erases.mean,erases.ci95,"


def _sweep(folder: Path, rows: str, search: bool = False) -> Path:
    figures = [{"path": path, "unit": "", "help": "help"} for path in ("write_amplification", "erases")]
    wanted = [{"figure": figure["path"], "wanted": "min"} for figure in figures] if search else []
    axes = ["ftl.selection", "ftl.utilization"]
    description = {"schema": "ftlab-sweep", "version": 1, "name": "a", "seeds": 3, "axes": axes, "figures": figures}
    (folder / "sweep.json").write_text(json.dumps(description | {"objectives": wanted}))
    head = _HEAD.format("pareto," if search else "") + "runs,ended_early,failed,reason\n"
    (folder / "table.csv").write_text(head + rows)
    return folder


def _figures(folder: Path) -> dict[str, Figure]:
    return {figure.name: figure for figure in figures_of(fill(load_report(folder)))}


def _values(figure: Figure) -> list[dict[str, object]]:
    found: list[dict[str, object]] = figure.spec.get("data", figure.spec["layer"][0].get("data"))["values"]
    return found


ROWS = (
    "greedy,0.5,1.1,0.1,9,1,3,0,0,\ngreedy,0.9,1.5,0.1,8,1,3,2,0,\n"
    "cat,0.5,1.2,0.1,7,1,2,0,1,killed\ncat,0.9,,,,,0,0,3,too full\n"
)


def test_points_that_failed_or_ended_early_are_named_over_the_page(tmp_path: Path) -> None:
    notes = load_report(_sweep(tmp_path, ROWS)).notes
    assert {note.level for note in notes} == {"warning"}
    failed, partly, early = (note.text for note in notes)
    assert failed == "1 of 4 points failed and has no figures: selection cat, utilization 0.9 (too full)."
    assert "Of 1 of 4 points some runs failed" in partly
    assert "selection cat, utilization 0.5 (1 of 3 runs: killed)" in partly
    assert early.startswith("1 of 4 points ended early, as the device came to its end of life")
    assert "selection greedy, utilization 0.9 (2 of 3 runs)" in early


def test_of_many_points_the_first_are_named_and_the_others_counted(tmp_path: Path) -> None:
    rows = "".join(f"cat,0.{n},,,,,0,0,3,too full\n" for n in range(1, 10))
    (note,) = load_report(_sweep(tmp_path, rows)).notes
    assert note.text.startswith("9 of 9 points failed and have no figures: ")
    assert note.text.endswith("utilization 0.5 (too full); and 4 more in table.csv.")


def test_a_whole_sweep_has_no_warning(tmp_path: Path) -> None:
    assert load_report(_sweep(tmp_path, ROWS.splitlines()[0] + "\n")).notes == ()


def test_points_that_ended_early_are_marked_in_curves_and_map(tmp_path: Path) -> None:
    figures = _figures(_sweep(tmp_path, ROWS))
    curves, heat = figures["sweep-write-amplification"], figures["heat-write-amplification"]
    assert [value["early"] for value in _values(curves)] == ["none", "2 of 3", "none"]
    assert curves.spec["layer"][-1]["transform"] == [{"filter": "datum.early !== 'none'"}]
    assert "Ringed: the device's end of life cut the point short." in curves.caption
    assert [value["text"] for value in _values(heat)] == ["1.10", "1.50†", "1.20"]
    assert "†: the device's end of life" in heat.caption
    for figure in (curves, heat):
        titles = [one["title"] for one in figure.spec["layer"][0].get("encoding", {}).get("tooltip", [])]
        titles += [one["title"] for one in figure.spec["layer"][1].get("encoding", {}).get("tooltip", [])]
        assert "runs cut short by the device's end of life" in titles


@pytest.mark.parametrize("early", [0, 1])
def test_points_of_a_search_that_ended_early_are_ringed(tmp_path: Path, early: int) -> None:
    rows = f"greedy,0.5,True,1.1,,9,,1,{early},0,\ncat,0.9,False,2.5,,8,,1,0,0,\n"
    (figure,) = _figures(_sweep(tmp_path, rows, search=True)).values()
    assert len(figure.spec.get("layer", [0])) == 1 + early
    assert ("Ringed" in figure.caption) == bool(early)
