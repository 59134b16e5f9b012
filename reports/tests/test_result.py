"""A run from Python, and its result as an object."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ftlab
from program import needs_program

pytestmark = needs_program


@pytest.fixture(scope="module")
def result() -> ftlab.Result:
    return ftlab.run(part="series2plus-4mb", workload__total_mib=0.5, ftl__selection="greedy")


def test_figures_are_numbers_that_know_their_unit(result: ftlab.Result) -> None:
    rate = result.throughput.write_bytes_per_s
    assert rate == result.json["throughput"]["write_bytes_per_s"]
    assert rate.unit == "B/s"
    assert repr(rate).endswith(" B/s")
    assert pickle.loads(pickle.dumps(rate)).unit == "B/s"
    assert result.figure("flash.erases") == result.flash.erases
    assert result.config.ftl.selection == "greedy"


def test_missing_names_say_what_there_is(result: ftlab.Result) -> None:
    with pytest.raises(AttributeError, match=r"flash has no eraze; did you mean 'erases'"):
        _ = result.flash.eraze
    with pytest.raises(ftlab.InputError, match="no figure flash.eraze"):
        result.figure("flash.eraze")


def test_frame_has_a_row_for_each_figure(result: ftlab.Result) -> None:
    frame = result.to_frame()
    assert frame.loc["flash.erases", "value"] == result.flash.erases
    assert frame.loc["throughput.write_bytes_per_s", "unit"] == "B/s"
    assert (frame["help"] != "").all()


def test_run_that_is_refused_says_why() -> None:
    with pytest.raises(ftlab.RunError, match="ftl.selection") as refused:
        ftlab.run(ftl__selection="gready")
    assert refused.value.status == 2


def test_result_is_kept_loaded_and_repeated(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text('part = "series2plus-4mb"\nworkload.total_mib = 0.5\n')
    first = ftlab.run(tmp_path / "study.toml", out=tmp_path / "out")
    loaded = ftlab.load(tmp_path / "out")
    assert isinstance(loaded, ftlab.Result)
    assert loaded.json == first.json
    assert ftlab.run(tmp_path / "out" / "result.json").flash.erases == first.flash.erases


def test_run_in_place_is_kept_twice_in_one_folder_and_takes_numbers_of_numpy(tmp_path: Path) -> None:
    for utilization in np.linspace(0.5, 0.6, 2):
        result = ftlab.run(
            {"part": "series2plus-4mb"}, out=tmp_path, ftl__utilization=utilization, workload__total_mib=0.5
        )
    assert result.config.ftl.utilization == 0.6
    assert ftlab.run(tmp_path / "study.toml").flash.erases == result.flash.erases


def test_study_of_somebody_else_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text("precious")
    with pytest.raises(ftlab.InputError, match=r"study\.toml: is no study of ftlab\.run"):
        ftlab.run({"part": "series2plus-4mb"}, out=tmp_path)
    assert (tmp_path / "study.toml").read_text() == "precious"


_run: Any = ftlab.run
_sweep: Any = ftlab.sweep


@pytest.mark.parametrize(
    "call",
    [
        lambda: _run({1: 2}),
        lambda: _run({"a b": 2}),
        lambda: _run("a\0b"),
        lambda: _run(ftl__selection="\udcff"),
        lambda: _run({}, out=3),
        lambda: _sweep(3, {"ftl.utilization": [0.5]}),
        lambda: _sweep({}, {1: [2]}),
        lambda: _sweep({}, {"ftl.utilization": [0.5]}, jobs="2"),
        lambda: _sweep({}, {"ftl.utilization": [0.5]}, out=3),
        lambda: _sweep({}, {"ftl.selection": ["\udcff"]}),
    ],
)
def test_what_cannot_be_meant_is_an_input_error(call: Callable[[], object]) -> None:
    with pytest.raises(ftlab.InputError):
        call()


def test_damaged_table_is_named(tmp_path: Path) -> None:
    (tmp_path / "table.parquet").write_text("x")
    with pytest.raises(ftlab.InputError, match=r"table\.parquet: is damaged"):
        ftlab.load(tmp_path)


def test_what_is_no_study_is_refused() -> None:
    with pytest.raises(ftlab.InputError, match="study=5: is no study"):
        ftlab.run(5)  # type: ignore[arg-type]


def test_value_that_no_study_can_hold_is_named() -> None:
    with pytest.raises(ftlab.InputError, match=r"workload.path: .* is no text"):
        ftlab.run(workload__path=object())
    with pytest.raises(ftlab.InputError, match="beyond 64 bits"):
        ftlab.run(seed=10**30)


def test_folder_without_results_is_named(tmp_path: Path) -> None:
    with pytest.raises(ftlab.InputError, match="holds neither"):
        ftlab.load(tmp_path)
