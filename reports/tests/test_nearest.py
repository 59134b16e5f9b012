"""How a message ends that refuses a name."""

from __future__ import annotations

from ftlab.nearest import listed, meant

_KNOWN = ("greedy", "cost_benefit", "cat")


def test_a_near_name_is_asked_for_and_nothing_else_is_said() -> None:
    assert meant("gredy", _KNOWN) == "; did you mean 'greedy'?"
    assert meant("gredy", _KNOWN, listed(_KNOWN)) == "; did you mean 'greedy'?"


def test_where_none_is_near_it_says_where_the_names_are() -> None:
    assert meant("oldest", _KNOWN) == ""
    assert meant("oldest", _KNOWN, "`ftlab policies` lists all") == "; `ftlab policies` lists all"
    assert meant("oldest", _KNOWN, listed(_KNOWN)) == "; there are greedy, cost_benefit, cat"
    assert meant("oldest", (), listed(())) == "; there are none"


def test_a_table_makes_no_key_nearer_and_may_itself_be_misspelt() -> None:
    keys = ("workload.idle_s", "workload.kind", "ftl.selection")
    assert meant("workload.title", keys) == ""
    assert meant("workload.knd", keys) == "; did you mean 'workload.kind'?"
    assert meant("worklod.kind", keys) == "; did you mean 'workload.kind'?"
    assert meant("title", ("idle",)) == ""
