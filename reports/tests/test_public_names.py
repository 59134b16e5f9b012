"""What `dir` and `help` say of the package."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import ftlab
from ftlab.result import Quantity, Section
from ftlab.show import Picture, Pictures

_CLASSES: list[type] = [ftlab.InputError, ftlab.RunError, ftlab.Result, Section, Quantity, Picture, Pictures]
_FUNCTIONS: list[Any] = [ftlab.run, ftlab.sweep, ftlab.optimize, ftlab.load, ftlab.figures, ftlab.plot]


def _documented() -> Iterator[Any]:
    for kind in _CLASSES:
        yield kind
        yield from (entry for name, entry in vars(kind).items() if inspect.isfunction(entry) and name[0] != "_")
    yield from _FUNCTIONS


def test_completion_offers_the_public_names_and_no_others() -> None:
    """In a fresh interpreter, where nothing has been used."""
    script = "import ftlab, rlcompleter; print(*dir(ftlab)); print(*rlcompleter.Completer({'ftlab': ftlab}).attr_matches('ftlab.s'))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    listed, completed = done.stdout.splitlines()
    assert [name for name in listed.split() if not name.startswith("__")] == ftlab.__all__
    assert "ftlab.sweep(" in completed


def test_every_public_name_is_there_and_held_to_its_help_here() -> None:
    assert {getattr(ftlab, name) for name in ftlab.__all__} <= {*_CLASSES, *_FUNCTIONS}


@pytest.mark.parametrize("what", list(_documented()), ids=lambda what: what.__qualname__)
def test_help_says_what_it_is(what: Any) -> None:
    assert what.__doc__
    assert what.__doc__ != (inspect.getdoc(what.__mro__[1]) if inspect.isclass(what) else None)


@pytest.mark.parametrize("function", _FUNCTIONS, ids=lambda function: function.__name__)
def test_help_of_a_function_names_each_parameter_its_default_its_result_and_its_errors(function: Any) -> None:
    parameters = inspect.signature(function).parameters.values()
    for parameter in parameters:
        assert f"`{parameter.name}`" in function.__doc__
    lacks_default = [p for p in parameters if p.default is not inspect.Parameter.empty]
    assert not lacks_default or "Default:" in function.__doc__
    assert "Returns" in function.__doc__
    assert "Raises InputError" in function.__doc__ or "Raises RunError" in function.__doc__


def test_help_of_a_table_names_its_columns_and_where_units_are() -> None:
    for words in ("FIGURE.mean", "FIGURE.ci95", "ended_early", "failed", "reason", "`ftlab figures`", "`ftlab keys`"):
        assert words in str(ftlab.sweep.__doc__)
    assert "pareto" in str(ftlab.optimize.__doc__)
