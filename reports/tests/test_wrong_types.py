"""What Python is given where something else is meant: one line that says so, never an error of Python's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ftlab
from program import needs_program

pytestmark = needs_program

_WRONG: tuple[Any, ...] = (5, 1.5, None, b"x", [object()], {"a": 1}, {1: 2}, object(), (), "a\0b", "x\ud800")
_STUDY = {"part": "series2plus-4mb"}
_AXES = {"ftl.selection": ["cat"]}
_CALLS: dict[str, Callable[[Any], Any]] = {
    "load": lambda wrong: ftlab.load(wrong),
    "figures": lambda wrong: ftlab.figures(wrong),
    "plot": lambda wrong: ftlab.plot(wrong),
    "figure of a result": lambda wrong: ftlab.Result({"flash": {"erases": 1}}).figure(wrong),
    "study of a run": lambda wrong: ftlab.run({"part": wrong}),
    "override of a run": lambda wrong: ftlab.run(_STUDY, ftl__selection=wrong),
    "axes of a sweep": lambda wrong: ftlab.sweep(_STUDY, {"ftl.selection": wrong}),
    "study of a sweep": lambda wrong: ftlab.sweep({"part": wrong, "nothing": 1}, _AXES),
    "figures of a sweep": lambda wrong: ftlab.sweep(_STUDY, _AXES, figures=wrong or [5]),
    "seeds of a sweep": lambda wrong: ftlab.sweep(_STUDY, _AXES, seeds=0 if wrong in (None, 5) else wrong),
    "jobs of a sweep": lambda wrong: ftlab.sweep(_STUDY, _AXES, jobs=0 if wrong in (None, 5) else wrong),
}


@pytest.mark.parametrize("call", _CALLS)
@pytest.mark.parametrize("wrong", _WRONG)
def test_a_wrong_type_is_one_line(call: str, wrong: Any) -> None:
    with pytest.raises(ftlab.InputError) as refused:
        _CALLS[call](wrong)
    assert str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("wrong", [5, b"x", "", "a\0b"])
def test_a_folder_for_results_that_is_none_is_refused(wrong: Any) -> None:
    for call in (lambda: ftlab.run(_STUDY, out=wrong), lambda: ftlab.sweep(_STUDY, _AXES, out=wrong)):
        with pytest.raises(ftlab.InputError, match="out=.*: is no folder; give the path of one"):
            call()
