"""Experiment files: what is refused, with file, line, key and fix."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from experiment_file import SMALL, write

from ftlab.errors import InputError
from ftlab.reproduce.document import not_run
from ftlab.reproduce.fields import HINT
from ftlab.reproduce.library import experiment_named, experiments_of, names, papers
from ftlab.reproduce.paper import PAPER
from ftlab.reproduce.read import FOLDER, read_experiment
from ftlab.reproduce.spec import TradeOff
from program import needs_program

pytestmark = needs_program

WEIGHED = """[trade_off]
over = "policy"
beaten = "against"
figures = { erasures = "less", against = "more" }
"""


def refusal(folder: Path, text: str) -> str:
    path = write(folder, text)
    with pytest.raises(InputError) as refused:
        read_experiment(path, "small")
    return str(refused.value).replace(f"{path}", "small.toml")


def test_a_small_experiment_has_its_rows_settings_and_titles(tmp_path: Path) -> None:
    experiment = read_experiment(write(tmp_path), "small")
    assert experiment.rows() == [("greedy", "0.5"), ("greedy", "0.8"), ("cat", "0.5"), ("cat", "0.8")]
    assert experiment.settings(("cat", "0.8"))["ftl.utilization"] == 0.8
    assert experiment.titles(("cat", "0.8")) == {"policy": "CAT", "load": "0.8"}
    assert experiment.published[("greedy", "0.5"), "erasures"].expression == "3"


def test_refused_points_are_no_rows_and_say_why(tmp_path: Path) -> None:
    refused = '[[refused]]\nwhere = { policy = "cat", load = "0.8" }\nreason = "too full"\n'
    experiment = read_experiment(write(tmp_path, SMALL + refused), "small")
    assert experiment.rows() == [("greedy", "0.5"), ("greedy", "0.8"), ("cat", "0.5")]
    assert experiment.refusal(("cat", "0.8")) == "too full"
    assert not_run(experiment, {}) == ["Not run: CAT: 0.8. Why: too full."]
    assert not_run(experiment, {"load": ("0.8",)}) == not_run(experiment, {})
    assert not_run(experiment, {"policy": ("greedy",)}) == []
    assert refusal(tmp_path, SMALL + "[[refused]]\n") == "small.toml:42: refused.reason: lacks reason; " + HINT


def test_figures_that_are_weighed_say_which_way_they_are_better(tmp_path: Path) -> None:
    experiment = read_experiment(write(tmp_path, SMALL.replace("[derived]", WEIGHED + "[derived]")), "small")
    assert experiment.trade_off == TradeOff("policy", "against", (("erasures", False), ("against", True)))


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("values = [{ name = \"0.5\"", "values = [{ name = 5", "axes.load.values.name: must be a text"),
        ("range = [0, inf]", "range = [1, 0]", "small.toml:30: claims.range: must be [LEAST, MOST]; -inf and inf stand for no limit, and LEAST is not above MOST"),
        ("range = [0, inf]", "range = [-inf, inf]", "claims.range: must be [LEAST, MOST]"),
        ("range = [0, inf]", "range = [nan, 1]", "claims.range: must be [LEAST, MOST]"),
        ("range = [0, inf]", "range = [0, inf]\ndecimals = \"x\"", "claims.decimals: must be a whole number from 0 to 6"),
        ("[vary]\n", "[vary]\nkeys = [\"ftlx\"]\n", "vary.keys: ftlx is no table of a study; did you mean 'ftl'?"),
        ("[vary]\n", "[vary]\nat = { load = \"0.9\" }\n", "vary.at: axis load has no value 0.9; did you mean"),
        ("[vary]\n", "[vary]\nrows = [{ quantities = [\"erases\"] }]\n", "vary.rows: erases is no quantity of this experiment"),
        ("[derived]", WEIGHED.replace("policy", "polcy") + "[derived]", "trade_off.over: there is no polcy; did you mean 'policy'?"),
        ("[derived]", WEIGHED.replace("beaten = \"against\"", "beaten = \"againts\"") + "[derived]", "trade_off.beaten: there is no againts; did you mean 'against'?"),
        ("[derived]", WEIGHED.replace("against = \"more\"", "against = \"most\"") + "[derived]", "trade_off.figures.against: most is none of less, more"),
        ("[derived]", WEIGHED.replace(", against = \"more\"", "") + "[derived]", "trade_off.figures: must be two quantities or more"),
        ("[derived]", WEIGHED.replace("erasures", "erases") + "[derived]", "trade_off.figures.erases: there is no erases; did you mean"),
        ("[[vary.values]]", "[vary.values]", "values: must be tables, written as [[values]]"),
        ('"0.5".erasures = 3\n', "", "small.toml:23: tolerances: nothing is published for erasures there, so nothing is judged"),
        ('keys = ["policy", "load"]', 'keys = ["policy", "load", "load"]', "small.toml:3: keys: load is there twice"),
        ('value = "erases"', 'value = "flash.erases.nonsense"', "no figure flash.erases.nonsense"),
        ('value = "erases"', 'value = "config.ftl.utilisation"', "no figure config.ftl.utilisation"),
        ('value = "erases"', 'value = "collapse_at(run)"', "collapse_at takes 3 arguments: curve, share, points"),
        ('title = "Small"\n', 'title = "Small"\npaper = "fmz"\n', "paper: fmz is none of age, core, desnoyers, drives, flexfs, fms"),
        ('title = "Small"\n', "", "small.toml: title: lacks title; docs/experiments.md has the keys of an experiment"),
        ("[derived]", "[derivd]", "small.toml:15: derivd: is no key of an experiment; did you mean 'derived'?"),
        ('"policy", "load"]', '"policy", "laod"]', "small.toml:3: keys: there is no [axes.laod]; did you mean 'load'?"),
        ("ftl.selection", "ftl.selecton", "small.toml:7: axes.policy.values.ftl.selecton: is no key of a study; did you mean 'ftl.selection'?"),
        ("workload.total_mib", "seed", "small.toml:6: study.seed: is no key of a study; seeds are counted by --seeds"),
        ('value = "erases"', 'value = "erasess"', "small.toml:19: quantities.erasures.value: no figure erasess; did you mean 'erases'?"),
        ('"flash.erases"', '"flash.erase"', "quantities.erasures.value: no figure flash.erase; did you mean 'flash.erases'?"),
        ('value = "erases"', 'value = "erases +"', "small.toml:19: quantities.erasures.value: 'erases +' is no expression"),
        ('value = "erases"', 'value = "mix(erases)"', "no function mix; did you mean 'min'?"),
        ('value = "erases"', 'value = "erasures"', "small.toml:19: quantities.erasures.value: erasures is defined by itself"),
        ('value = "erases"', 'value = "lambda: 1"', "an expression has numbers, names, + - * / **"),
        ('value = "erases"', 'value = "erases.__class__"', "no figure erases.__class__"),
        ("policy='greedy'", "policy='gredy'", "axis policy has no value gredy; did you mean 'greedy'?"),
        ("policy='greedy'", "polcy='greedy'", "there is no axis polcy"),
        ('where = { policy = "cat" }', 'where = { policy = "cta" }', "small.toml:21: quantities.against.value: axis policy has no value cta; did you mean 'cat'?"),
        ("[published.greedy]", "[published.gredy]", "small.toml:22: published.gredy: is no value of policy; did you mean 'greedy'?"),
        ('"0.5".erasures = 3', '"0.5".erases = 3', "published.greedy.0.5.erases: is no quantity of this experiment"),
        ('reason = "made up"\n', "", "small.toml:24: tolerances: lacks a reason, a sentence that says why so far"),
        ("{ absolute = 100 }", "100", "small.toml:26: tolerances.erasures: must be { relative = SHARE } of the published figure, or { absolute = AMOUNT }"),
        ("range = [0, inf]", "range = 0", "small.toml:30: claims.range: must be [LEAST, MOST]; -inf and inf stand for no limit"),
        ('name = "small"', 'name = "a b"', "small.toml:32: plots.name: a b names a file: letters, digits, '-' and '_' only"),
        ("decimals = 1", "decimals = 7", "small.toml:18: quantities.erasures.decimals: must be a whole number from 0 to 6"),
        ('name = "cat", title', 'name = "greedy", title', "small.toml:9: axes.policy.values: greedy is there twice"),
        ("[study]", "[study", "small.toml:4: is no TOML here"),
        ('title = "Small"\n', 'title = "Sm\\u001b[31mall"\n', "small.toml:1: title: holds control characters; leave them out"),
        ('title = "Small"\n', 'title = "Small"\nnotes = ["a", "\\u009b31m"]\n', "small.toml:2: notes: holds control characters"),
        ('title = "CAT"', 'title = "C\\u0007AT"', "axes.policy.values.title: holds control characters"),
        ('text = "the card', 'text = "the\\bcard', "claims.text: holds control characters"),
        ("ftl.utilization = 0.5", 'ftl.selection = "\\u001b[2J"', "axes.load.values: '\\x1b[2J' holds control characters"),
        ('"0.5".erasures = 3', '"\\u001b[2J".erasures = 3', "published.greedy. [2J: is no value of load"),
    ],
)  # fmt: skip
def test_a_slip_is_one_line_with_file_line_key_and_fix(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    assert was in SMALL
    line = refusal(tmp_path, SMALL.replace(was, becomes, 1))
    assert said in line
    assert "\n" not in line


def test_a_text_may_have_several_lines(tmp_path: Path) -> None:
    text = SMALL.replace('title = "Small"\n', 'title = "Small"\nabout = """one\n\ttwo"""\n', 1)
    assert read_experiment(write(tmp_path, text), "small").about == "one\n\ttwo"


@pytest.mark.parametrize("name", ["small.toml", PAPER])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, name: str) -> None:
    write(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    with pytest.raises(InputError, match=f"{name}: is a pipe or a device, and no file; docs/experiments.md"):
        read_experiment(tmp_path / "small.toml", "small")
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    with pytest.raises(InputError, match=f"{name}: is a folder, and no file; docs/experiments.md"):
        read_experiment(tmp_path / "small.toml", "small")


def test_what_a_paper_says_once_its_experiments_share(tmp_path: Path) -> None:
    write(tmp_path, SMALL[SMALL.index("[study]") : SMALL.index("[derived]")], PAPER)
    rest = SMALL[: SMALL.index("[study]")] + SMALL[SMALL.index("[derived]") :]
    assert read_experiment(write(tmp_path, rest), "small").rows()[0] == ("greedy", "0.5")


def test_a_trace_is_found_beside_the_file_or_where_traces_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = SMALL.replace("workload.total_mib = 0.5", 'workload = { kind = "trace", path = "a.csv" }')
    monkeypatch.delenv("FTLAB_TRACE_DIR", raising=False)
    path = write(tmp_path, text)
    assert "a.csv: no such trace beside" in read_experiment(path, "small").missing()
    traces = tmp_path / "traces"
    traces.mkdir()
    (traces / "a.csv").touch()
    monkeypatch.setenv("FTLAB_TRACE_DIR", str(traces))
    experiment = read_experiment(path, "small")
    assert experiment.missing() == ""
    assert experiment.study["workload.path"] == str(traces / "a.csv")


def test_a_trace_that_only_one_row_needs_is_missed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FTLAB_TRACE_DIR", str(tmp_path))
    (tmp_path / "a.csv").touch()
    text = SMALL.replace("workload.total_mib = 0.5", 'workload = { kind = "trace", path = "a.csv" }')
    text = text.replace("set = { ftl.utilization = 0.8 }", 'set = { workload.path = "b.csv" }')
    assert "b.csv: no such trace beside" in read_experiment(write(tmp_path, text), "small").missing()


def test_an_unknown_name_names_the_nearest() -> None:
    with pytest.raises(InputError, match="no experiment is named 'fms-tabel4'; did you mean 'fms-table4'"):
        experiment_named("fms-tabel4")


def test_every_experiment_of_the_library_is_read_and_says_what_it_is() -> None:
    assert len(names()) == len(set(names()))
    for name in names():
        experiment = experiment_named(name)
        assert experiment.summary, name
        assert experiment.rows(), name
    for paper in papers():
        files = {path.stem for path in (FOLDER / paper.name).glob("*.toml")} - {"paper"}
        assert set(paper.order) == files, "every file has its place"


_PAPER = """order = ["small"]
[study]
part = "series2plus-4mb"
[axes.policy]
title = "Policy"
values = [{ name = "greedy", set = { ftl.selection = "greedy" } }, { name = "cat", set = { ftl.selection = "cat" } }]
[derived]
twice = "2 * flash.erases"
[quantities.erasures]
title = "Erasures"
decimals = 2
value = "flash.erases"
"""
_OWN = """title = "Own"
source = "nowhere"
keys = ["policy"]
[axes.policy]
column = false
[quantities.erasures]
decimals = 1
[quantities.twice]
"""


def test_an_experiment_says_otherwise_key_by_key_what_its_paper_says(tmp_path: Path) -> None:
    write(tmp_path, _PAPER, PAPER)
    experiment = read_experiment(write(tmp_path, _OWN), "small")
    assert (experiment.axes[0].title, experiment.axes[0].column) == ("Policy", False)
    assert [value.name for value in experiment.axes[0].values] == ["greedy", "cat"]
    erasures, twice = experiment.quantities
    assert (erasures.title, erasures.decimals, erasures.cases[0].expression) == ("Erasures", 1, "flash.erases")
    assert twice.cases[0].expression == "twice"
    assert experiment.paper == tmp_path.name


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ("[study]", "[stduy]", "paper.toml:2: stduy: is no key of a paper; did you mean 'study'?"),
        ("part =", "prt =", "paper.toml:3: study.prt: is no key of a study; did you mean 'part'?"),
        ("ftl.selection", "ftl.selectio", "paper.toml:4: axes.policy.values.ftl.selectio: is no key of a study"),
        ('twice = "2 * flash.erases"', "twice = 2", "paper.toml:8: derived.twice: must be an expression"),
        ("[quantities.erasures]", "[quantities]\nerasures = 1\n[x]", "is no key of a paper"),
        ('title = "Erasures"', "titel = 1", "quantities.erasures.titel: is no key here"),
        ('order = ["small"]', "order = 1", "paper.toml:1: order: must be a list of texts"),
        (
            "[study]",
            "[choices.a]\ntitle = 'x'\nunit = ''\nsource = ''\n[study]",
            "choices.a: needs key, a key of the study",
        ),
        ("[study]", "[choices]\na = 1\n[study]", "choices.a: must be a table, written as [choices.a]"),
        ("[study]", "[[not_reproduced]]\ntitle = 'x'\n[study]", "not_reproduced.text: lacks text"),
    ],
)
def test_a_slip_in_the_papers_file_is_said_there(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    assert was in _PAPER
    write(tmp_path, _PAPER.replace(was, becomes, 1), PAPER)
    with pytest.raises(InputError) as refused:
        read_experiment(write(tmp_path, _OWN), "small")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_an_experiment_of_ones_own_may_share_a_paper_of_the_library(tmp_path: Path) -> None:
    experiment = read_experiment(write(tmp_path, 'paper = "fms"\n' + _OWN.replace("[quantities.twice]", "")), "own")
    assert experiment.study["part"] == "series2plus-24mb"
    assert experiment.paper == "fms"


def test_the_example_of_the_documentation_is_an_experiment(tmp_path: Path) -> None:
    text = (Path(__file__).resolve().parents[3] / "docs" / "experiments.md").read_text()
    example = text.split("```toml\n")[1].split("```")[0]
    assert read_experiment(write(tmp_path, example), "own").rows()


def test_names_of_a_paper_are_those_of_its_files() -> None:
    assert [name for paper in papers() for name in experiments_of(paper)] == names()


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('value = "erases"', 'value = ""', "quantities.erasures.value: '' is no expression"),
        ("erasures = { absolute = 100 }", "", "tolerances: names no quantity of this experiment; there are erasures, against"),
        ("{ absolute = 100 }", "{ absolute = inf }", "tolerances.erasures: must be { relative = SHARE }"),
        ('name = "greedy", title', 'name = "greedy", row = false, title', "published.greedy.0.5.erasures: no row has such a cell"),
        ("[vary]\n", "[vary]\nrows = []\n", "vary.rows: must be a list such as"),
        ('x = { title = "load" }', 'x = { title = "load" }\nkind = "bar"', "x.scale"),
    ],
)  # fmt: skip
def test_what_says_nothing_is_refused(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    assert was in SMALL
    text = SMALL.replace(was, becomes, 1)
    if "bar" in becomes:
        text = text.replace("points = \"along(erases, over='load')\"", 'quantity = "erasures"')
    assert said in refusal(tmp_path, text)


def test_names_that_stand_in_many_others_are_followed_once(tmp_path: Path) -> None:
    chain = "".join(f'd{place} = "d{place + 1} + d{place + 1}"\n' for place in range(60))
    text = SMALL.replace("[derived]\n", f'[derived]\n{chain}d60 = "1"\n').replace('value = "erases"', 'value = "d0"', 1)
    assert read_experiment(write(tmp_path, text), "small").derived["d60"] == "1"
