"""A sweep's table on a terminal."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from ftlab.sweeps.console import console_text

_TABLE = pd.DataFrame(
    {
        "ftl.selection": ["greedy", "cat"],
        "ftl.utilization": [0.5, 0.9],
        "write_amplification.mean": [1.25, 2.586],
        "write_amplification.ci95": [math.nan, math.nan],
        "throughput.write_bytes_per_s.mean": [44748.8, 1e6],
        "throughput.write_bytes_per_s.ci95": [0.5, math.nan],
        "runs": [1, 1],
        "ended_early": [0, 0],
        "failed": [0, 0],
        "reason": ["", ""],
    }
)


def test_what_is_wide_enough_or_no_terminal_gets_the_whole_table() -> None:
    whole = _TABLE.to_string(index=False)
    assert console_text(_TABLE, 0) == console_text(_TABLE, 500) == whole
    assert "write_amplification.ci95" in whole


def test_a_terminal_gets_no_columns_that_say_nothing_and_titles_that_break() -> None:
    assert console_text(_TABLE, 80).splitlines() == [
        "                                                     throughput.",
        "                                        throughput.       write_",
        "                                             write_       bytes_",
        "                                write_       bytes_         per_",
        "     ftl.         ftl.  amplification.       per_s.           s.",
        "selection  utilization            mean         mean         ci95",
        "",
        "   greedy          0.5            1.25      44748.8          0.5",
        "      cat          0.9           2.586        1e+06",
    ]


@pytest.mark.parametrize("width", [30, 40, 60, 79])
def test_no_line_is_wider_and_what_has_no_room_is_counted(width: int) -> None:
    text = console_text(_TABLE, width)
    table = [line for line in text.splitlines() if "more column" not in line]
    assert all(len(line) <= width for line in table)
    assert ("more column" in text) == (width < 70)


def test_what_differs_between_points_stays() -> None:
    failed = _TABLE.assign(failed=[0, 1], runs=[1, 0], reason=["", "part: no such file"])
    text = console_text(failed, 120)
    for title in ("runs", "failed", "reason", "part: no such file"):
        assert title in text


def test_of_many_points_the_first_and_the_last_are_shown() -> None:
    many = pd.DataFrame({"a_rather_long_title.of_an_axis": range(50), "another_long_title.of_a_figure": range(50)})
    lines = console_text(many, 40).splitlines()
    assert sum("..." in line for line in lines) == 1
    assert lines[-1].split() == ["49", "49"]
    assert "25" not in " ".join(lines).split()
