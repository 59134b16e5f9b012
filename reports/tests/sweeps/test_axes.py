"""What a sweep varies, as values."""

from __future__ import annotations

from typing import Any

import pytest

from ftlab.sweeps.axes import AxisError, Range, latin_hypercube, space_of, values_of


@pytest.mark.parametrize(
    ("axis", "values"),
    [
        ([3, 1], [3, 1]),
        (["cat", "greedy"], ["cat", "greedy"]),
        ({"from": 0.5, "to": 0.9, "steps": 5}, [0.5, 0.6, 0.7, 0.8, 0.9]),
        ({"from": 0.1, "to": 0.3, "step": 0.1}, [0.1, 0.2, 0.3]),
        ({"from": 9, "to": 1, "step": -4}, [9.0, 5.0, 1.0]),
        ({"from": 1, "to": 1000, "steps": 4, "log": True}, [1.0, 10.0, 100.0, 1000.0]),
        ({"from": 0, "to": 1, "steps": 5}, [0.0, 0.25, 0.5, 0.75, 1.0]),
    ],
)
def test_list_or_range_gives_its_values(axis: Any, values: list[Any]) -> None:
    assert values_of(axis) == values
    assert [type(value) for value in values_of(axis)] == [type(value) for value in values]


@pytest.mark.parametrize(
    ("axis", "why"),
    [
        ([], "must not be empty"),
        (3, "must be a list, or a range"),
        ({"from": 1, "to": 2}, "either steps"),
        ({"from": 1, "to": 2, "steps": 2, "step": 1}, "either steps"),
        ({"from": 1, "to": 2, "steps": 1}, "from 2 to"),
        ({"from": 1, "to": 2, "step": 0}, "other than 0"),
        ({"from": 1, "to": 2, "step": -1}, "leads away"),
        ({"from": 0, "to": 2, "steps": 3, "log": True}, "above 0"),
        ({"from": 1, "to": 2, "steps": 2, "stepz": 1}, "does not know stepz"),
        ({"from": "a", "to": 2, "steps": 2}, "from must be a number"),
    ],
)
def test_what_is_no_axis_is_refused_with_the_reason(axis: Any, why: str) -> None:
    with pytest.raises(AxisError, match=why):
        values_of(axis)


def test_ranges_of_integers_have_integers_and_each_an_equal_chance() -> None:
    assert values_of({"from": 1, "to": 9, "steps": 3}, whole=True) == [1, 5, 9]
    assert values_of({"from": 1, "to": 9, "step": 4}, whole=True) == [1, 5, 9]
    with pytest.raises(AxisError, match="from must be a whole number"):
        values_of({"from": 0.5, "to": 9, "steps": 3}, whole=True)
    drawn = latin_hypercube({"n": Range(1, 4, whole=True)}, 40, seed=1)
    assert sorted(point["n"] for point in drawn) == [1] * 10 + [2] * 10 + [3] * 10 + [4] * 10


def test_first_axis_changes_slowest_and_linked_ones_go_together() -> None:
    points = space_of({"a": [1, 2], "b": ["x"]}, [{"low": [1, 3], "high": [3, 5]}]).points()
    assert points == [
        {"a": 1, "b": "x", "low": 1, "high": 3},
        {"a": 1, "b": "x", "low": 3, "high": 5},
        {"a": 2, "b": "x", "low": 1, "high": 3},
        {"a": 2, "b": "x", "low": 3, "high": 5},
    ]


def test_linked_axes_of_unequal_length_are_refused() -> None:
    with pytest.raises(AxisError, match="1 and 2 values"):
        space_of({}, [{"low": [1, 3], "high": [3]}])


def test_latin_hypercube_has_one_point_in_each_share_of_each_axis() -> None:
    points = latin_hypercube({"u": Range(0, 1), "v": Range(1, 1000, log=True)}, 20, seed=3)
    assert sorted(int(point["u"] * 20) for point in points) == list(range(20))
    assert points == latin_hypercube({"u": Range(0, 1), "v": Range(1, 1000, log=True)}, 20, seed=3)
    assert points != latin_hypercube({"u": Range(0, 1), "v": Range(1, 1000, log=True)}, 20, seed=4)
    assert all(1 <= point["v"] <= 1000 for point in points)
