"""Experiment files: what is refused, with file, line, key and fix."""

from __future__ import annotations

from pathlib import Path

import pytest
from experiment_file import SMALL, write

from ftlab.errors import InputError
from ftlab.reproduce.library import FOLDER, experiment_named, names, papers
from ftlab.reproduce.read import PAPER, read_experiment
from program import needs_program

pytestmark = needs_program


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


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('title = "Small"\n', "", "small.toml: title: lacks title; docs/experiments.md has the keys of an experiment"),
        ("[derived]", "[derivd]", "small.toml:15: derivd: is no key of an experiment; did you mean derived?; docs"),
        ('"policy", "load"]', '"policy", "laod"]', "small.toml:3: keys: there is no [axes.laod]; did you mean load?"),
        ("ftl.selection", "ftl.selecton", "small.toml:7: axes.policy.values.ftl.selecton: is no key of a study; did you mean ftl.selection?; `ftlab keys`"),
        ("workload.total_mib", "seed", "small.toml:6: study.seed: is no key of a study; seeds are counted by --seeds"),
        ('value = "erases"', 'value = "erasess"', "small.toml:19: quantities.erasures.value: no figure erasess; `ftlab figures`"),
        ('"flash.erases"', '"flash.erase"', "quantities.erasures.value: no figure flash.erase; `ftlab figures` lists all"),
        ('value = "erases"', 'value = "erases +"', "small.toml:19: quantities.erasures.value: 'erases +' is no expression"),
        ('value = "erases"', 'value = "mix(erases)"', "no function mix; did you mean min?; there are"),
        ('value = "erases"', 'value = "erasures"', "small.toml:19: quantities.erasures.value: erasures is defined by itself"),
        ('value = "erases"', 'value = "lambda: 1"', "an expression has numbers, names, + - * / **"),
        ('value = "erases"', 'value = "erases.__class__"', "no figure erases.__class__"),
        ("policy='greedy'", "policy='gredy'", "axis policy has no value gredy; there are greedy, cat"),
        ("policy='greedy'", "polcy='greedy'", "there is no axis polcy"),
        ('where = { policy = "cat" }', 'where = { policy = "cta" }', "small.toml:21: quantities.against.value: axis policy has no value cta; did you mean cat?"),
        ("[published.greedy]", "[published.gredy]", "small.toml:22: published.gredy: is no value of policy; did you mean greedy?"),
        ('"0.5".erasures = 3', '"0.5".erases = 3', "published.greedy.0.5.erases: is no quantity of this experiment"),
        ('reason = "made up"\n', "", "small.toml:24: tolerances: lacks a reason, a sentence that says why so far"),
        ("{ absolute = 100 }", "100", "small.toml:26: tolerances.erasures: must be { relative = SHARE } of the published figure, or { absolute = AMOUNT }"),
        ("range = [0, inf]", "range = 0", "small.toml:30: claims.range: must be [LEAST, MOST]; inf stands for no limit"),
        ('name = "small"', 'name = "a b"', "small.toml:32: plots.name: a b names a file: letters, digits, '-' and '_' only"),
        ("decimals = 1", "decimals = 7", "small.toml:18: quantities.erasures.decimals: must be a whole number from 0 to 6"),
        ('name = "cat", title', 'name = "greedy", title', "small.toml:9: axes.policy.values: greedy is there twice"),
        ("[study]", "[study", "small.toml:4: is no TOML here"),
    ],
)  # fmt: skip
def test_a_slip_is_one_line_with_file_line_key_and_fix(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    assert was in SMALL
    line = refusal(tmp_path, SMALL.replace(was, becomes, 1))
    assert said in line
    assert "\n" not in line


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
        assert set(paper.tree["order"]) == files, "every file has its place"
