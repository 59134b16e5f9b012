"""What Python is given where something else is meant: one line that says so, never an error of Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ftlab
from ftlab.report.blocks import Figure
from ftlab.show import Picture, Pictures
from program import needs_program

pytestmark = needs_program

_WRONG: tuple[Any, ...] = (
    5, 1.5, None, b"x", [object()], {"a": 1}, {1: 2}, object(), (), "a\0b", "x\ud800", "x" * 5000, np.ones((2, 2)), pd.DataFrame({"a": [1]}),
)  # fmt: skip
_STUDY = {"part": "series2plus-4mb"}
_AXES = {"ftl.selection": ["cat"]}
_GOALS = {"flash.erases": "min"}
_OTHER: dict[Any, Any] = {1: 2}
_TABLE = pd.DataFrame({"ftl.utilization": [0.5], "flash.erases.mean": [1.0]})
_CALLS: dict[str, Callable[[Any], Any]] = {
    "load": lambda wrong: ftlab.load(wrong),
    "figures": lambda wrong: ftlab.figures(wrong),
    "plot": lambda wrong: ftlab.plot(wrong),
    "figure of a result": lambda wrong: ftlab.Result({"flash": {"erases": 1}}).figure(wrong),
    "document of a result": lambda wrong: ftlab.Result(_OTHER if wrong is None else wrong).figure("flash"),
    "figure of a plot": lambda wrong: ftlab.plot(_TABLE, _no_count(wrong)),
    "study of a run": lambda wrong: ftlab.run({"part": wrong}),
    "override of a run": lambda wrong: ftlab.run(_STUDY, ftl__selection=wrong),
    "axes of a sweep": lambda wrong: ftlab.sweep(_STUDY, {"ftl.selection": wrong}),
    "study of a sweep": lambda wrong: ftlab.sweep({"part": wrong, "nothing": 1}, _AXES),
    "figures of a sweep": lambda wrong: ftlab.sweep(_STUDY, _AXES, figures=_no_count(wrong)),
    "seeds of a sweep": lambda wrong: ftlab.sweep(_STUDY, _AXES, seeds=_no_count(wrong)),
    "jobs of a sweep": lambda wrong: ftlab.sweep(_STUDY, _AXES, jobs=_no_count(wrong)),
    "all axes of a sweep": lambda wrong: ftlab.sweep(_STUDY, wrong),
    "axes of a search": lambda wrong: ftlab.optimize(_STUDY, wrong, _GOALS),
    "objectives of a search": lambda wrong: ftlab.optimize(_STUDY, _AXES, wrong),
    "wish of a search": lambda wrong: ftlab.optimize(_STUDY, _AXES, {"flash.erases": wrong}),
    "runs of a search": lambda wrong: ftlab.optimize(_STUDY, _AXES, _GOALS, runs=_no_count(wrong)),
    "seed of a search": lambda wrong: ftlab.optimize(_STUDY, _AXES, _GOALS, search_seed=_no_count(wrong)),
}


def _no_count(wrong: Any) -> Any:
    """What is none, in place of what is or says nothing."""
    return True if wrong is None or isinstance(wrong, int) else wrong


@pytest.mark.parametrize("call", _CALLS)
@pytest.mark.parametrize("wrong", _WRONG)
def test_a_wrong_type_is_one_line(call: str, wrong: Any) -> None:
    with pytest.raises(ftlab.InputError) as refused:
        _CALLS[call](wrong)
    assert str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400 or isinstance(refused.value, ftlab.RunError)  # the program's own line


@pytest.mark.parametrize("wrong", _WRONG)
def test_a_key_of_a_wrong_type_is_none(wrong: Any) -> None:
    result, pictures = ftlab.Result({"flash": {"erases": 1}}), Pictures([])
    for mapping in (result, result.flash, pictures):
        with pytest.raises(KeyError, match="has no |no figure "):
            mapping[wrong]
        assert wrong not in mapping


@pytest.mark.parametrize("wrong", [5, b"x", "", "a\0b", [], "x" * 5000])
def test_a_figure_is_saved_in_no_place_that_is_none(wrong: Any) -> None:
    with pytest.raises(ftlab.InputError, match="path="):
        Picture(Figure("a", "", "", "", {})).save(wrong)


def test_a_tree_that_is_refused_is_named_by_no_file_that_is_gone() -> None:
    with pytest.raises(ftlab.RunError, match=r"^study: ftl\.utilization: "):
        ftlab.run(_STUDY, ftl__utilization="much")


@pytest.mark.parametrize("wrong", [5, b"x", "", "a\0b"])
def test_a_folder_for_results_that_is_none_is_refused(wrong: Any) -> None:
    for call in (lambda: ftlab.run(_STUDY, out=wrong), lambda: ftlab.sweep(_STUDY, _AXES, out=wrong)):
        with pytest.raises(ftlab.InputError, match="out=.*: is no folder; give the path of one"):
            call()
