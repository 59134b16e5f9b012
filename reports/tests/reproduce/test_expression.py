"""Values of expressions at a row, seed by seed, and claims that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from experiment_file import write

from ftlab.commands import main
from ftlab.progress import ProgressLine
from ftlab.reproduce.bank import Bank
from ftlab.reproduce.claims import claims_of
from ftlab.reproduce.document import experiment_part
from ftlab.reproduce.expression import Evaluator, ExpressionError, Expressions
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.read import read_experiment
from ftlab.reproduce.samples import Samples, summarized
from ftlab.reproduce.spec import Experiment, Point
from ftlab.sweeps.pool import jobs_at_once
from program import needs_program

pytestmark = needs_program

_TEXT = """title = "Toy"
source = "nowhere"
keys = ["step", "policy"]
[axes.step]
values = [{ name = "1" }, { name = "2" }, { name = "4" }]
[axes.policy]
values = [{ name = "greedy" }, { name = "cat" }]
[derived]
twice = "2 * flash.erases"
[quantities.erases]
value = "flash.erases"
[[claims]]
text = "below"
value = "flash.erases"
range = [20, 30]
[[claims]]
text = "above"
value = "flash.erases"
where = { step = "4" }
range = [-inf, 30]
[[claims]]
text = "within two standard errors"
value = "flash.erases"
range = [12.5, 30]
"""


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Experiment:
    return read_experiment(write(tmp_path_factory.mktemp("toy"), _TEXT), "toy")


def _runs(point: Point) -> Samples:
    """10 times the step, one more for CAT, 2 more with the second seed."""
    erases = 10 * int(point[0]) + (point[1] == "cat")
    return Samples(
        {"flash": {"erases": erases + 2 * seed}, "run": {}, "wear": {"erase_counts": [1, 2]}} for seed in range(2)
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("flash.erases", [20, 22]),
        ("twice + 1", [41, 45]),
        ("-twice ** 2 / 4", [-400, -484]),
        ("step", 2),
        ("policy", "greedy"),
        ("at(erases, policy='cat') - erases", [1, 1]),
        ("at(erases, step='4', policy='cat')", [41, 43]),
        ("previous(erases, along='step')", [10, 12]),
        ("previous(at(erases, step='4'), along='step')", [40, 42]),
        ("mean(erases, over='policy')", [20.5, 22.5]),
        ("most(erases, over='step')", [40, 42]),
        ("least(erases, over='step')", [10, 12]),
        ("along(erases, over='step')", [(1, 11), (2, 21), (4, 41)]),
        ("along(erases, over='policy')", [("greedy", 21), ("cat", 22)]),
        ("each(erases, over='step')", [[10, 20, 40], [12, 22, 42]]),
        ("seed_mean(erases)", 21),
        ("seed_min(erases)", 20),
        ("seed_interval(erases)", pytest.approx(12.7062, abs=1e-4)),
        ("seed_interval(step)", 0),
        ("erases > 21", [False, True]),
        ("run['wear']['erase_counts'][1]", [2, 2]),
        ("max(erases, 21)", [21, 22]),
    ],
)
def test_expressions_mean_what_the_documentation_says(experiment: Experiment, text: str, value: Any) -> None:
    assert Evaluator(experiment, _runs).value(text, ("2", "greedy")) == value


_REFUSED = """[[refused]]
where = { step = "4", policy = "cat" }
reason = "no such step"
"""


@pytest.mark.parametrize(
    ("text", "here", "value"),
    [
        ("most(erases, over='step')", ("2", "cat"), [21, 23]),
        ("along(erases, over='step')", ("1", "cat"), [(1, 12), (2, 22)]),
        ("most(erases, over='policy')", ("4", "greedy"), [40, 42]),
        ("most(erases, over='step', but='2')", ("2", "cat"), [11, 13]),
        ("most(erases, over='step', but='4')", ("2", "greedy"), [20, 22]),
        ("most(erases, over='step', but='4, 2')", ("2", "greedy"), [10, 12]),
        ("along(erases, over='policy', but='greedy')", ("2", "greedy"), [("cat", 22)]),
    ],
)
def test_what_is_refused_or_left_out_has_no_value_over_an_axis(
    tmp_path: Path, text: str, here: Point, value: Any
) -> None:
    experiment = read_experiment(write(tmp_path, _TEXT + _REFUSED), "toy")
    assert Evaluator(experiment, _runs).value(text, here) == value
    assert ("4", "cat") not in Expressions(experiment).needed(text, here)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("at(erases, policy='cat')", "nothing runs at 4, cat: no such step"),
        ("most(erases, over='step', but='3')", "axis step has no value 3"),
        ("most(erases, over='policy', but='greedy')", "nothing runs over policy there"),
        ("at(erases, step='2', but='4')", "there is no axis but"),
        ("previous(erases, along='step', but='1')", "previous takes along beside its expression"),
    ],
)
def test_a_value_where_nothing_runs_is_refused(tmp_path: Path, text: str, said: str) -> None:
    expressions = Expressions(read_experiment(write(tmp_path, _TEXT + _REFUSED), "toy"))
    with pytest.raises(ExpressionError, match=said):
        expressions.check(text, [("4", "greedy")], lambda _: True)


def test_a_model_needs_no_run(experiment: Experiment) -> None:
    expressions = Expressions(experiment)
    text = "greedy_model(step / 10, 64) / lru_model(0.2)"
    expressions.check(text, [("2", "cat")], lambda _: False)
    assert expressions.needed(text, ("2", "cat")) == set()
    assert Evaluator(experiment, _runs).value(text, ("2", "cat")) == pytest.approx(2.5827 / 2.6936, abs=1e-1)


def test_only_the_points_that_are_read_are_needed(experiment: Experiment) -> None:
    expressions = Expressions(experiment)
    here: Point = ("2", "greedy")
    assert expressions.needed("at(erases, policy='cat')", here) == {("2", "cat")}
    assert expressions.needed("step * 3", here) == set()
    assert expressions.needed("twice + previous(erases, along='step')", here) == {here, ("1", "greedy")}
    assert len(expressions.needed("mean(most(erases, over='step'), over='policy')", here)) == 6


def test_what_stands_before_the_first_is_refused(experiment: Experiment) -> None:
    with pytest.raises(ExpressionError, match="nothing stands before 1"):
        Evaluator(experiment, _runs).value("previous(erases, along='step')", ("1", "greedy"))


def test_a_claim_fails_by_how_far_the_mean_lies_outside_beyond_its_error(experiment: Experiment) -> None:
    below, above, within = claims_of(experiment, Evaluator(experiment, _runs))
    assert summarized(_runs(("1", "greedy"))[0]["flash"]["erases"]).mean == 10
    assert (below["ours"], below["missed_by"], below["verdict"]) == (11, 9, "fails")
    assert (above["ours"], above["missed_by"], above["verdict"]) == (41, 11, "fails")
    assert (within["missed_by"], within["standard_error"], within["verdict"]) == (1.5, 1, "holds")


def test_a_published_table_comes_out_with_one_seed(tmp_path: Path) -> None:
    quick = ["flexfs-table1", "flexfs-fig12"]
    assert main(["reproduce", *quick, "--seeds", "1", "--no-vary", "--out", str(tmp_path), "-q"]) == 0


@pytest.mark.shared
def test_means_over_policies_come_out_with_one_seed() -> None:
    """Those that have a tolerance: of one machine."""
    experiment = experiment_named("fms-breakdown")
    bank = Bank(jobs_at_once(None), ProgressLine("test", "runs", quiet=True))
    part = experiment_part(experiment, bank, [1], vary=False, where={"machine": ("pentium-133",)})
    assert [cell["verdict"] for row in part["rows"] for cell in row["cells"]] == ["pass"] * 3
