"""`ftlab reproduce` with the simulator: rows, claims, plots, what is varied, and what the command line says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from experiment_file import SMALL, write

import ftlab
from ftlab.commands import main
from ftlab.program import listing
from ftlab.progress import ProgressLine
from ftlab.report.load import load_report
from ftlab.report.registry import fill
from ftlab.reproduce import sensitivity
from ftlab.reproduce.bank import Answer, Bank, Request
from ftlab.reproduce.document import document_of, experiment_part
from ftlab.reproduce.library import experiment_named
from ftlab.reproduce.read import read_experiment
from ftlab.reproduce.spec import Experiment, OpenValue, Variant
from program import needs_program

pytestmark = needs_program


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("small")
    assert main(["reproduce", str(write(folder)), "--seeds", "2", "--out", str(folder / "out"), "-q"]) == 0
    document: dict[str, Any] = json.loads((folder / "out" / "reproduce.json").read_text())
    page = fill(load_report(folder / "out"))
    assert {"table-small", "claims-small", "sensitivity-small"} <= {
        block.name for item in page for block in item.blocks
    }
    return document


def test_cells_are_means_over_the_seeds_of_what_the_runs_say(reproduced: dict[str, Any]) -> None:
    part = reproduced["experiments"][0]
    assert part["verdict"] == "pass"
    runs = [
        ftlab.run({"part": "series2plus-4mb", "workload": {"total_mib": 0.5}}, ftl__utilization=0.8, ftl__selection=policy, seed=seed)
        for policy in ("greedy", "cat") for seed in (1, 2)
    ]  # fmt: skip
    erases = [float(run.flash.erases) for run in runs]
    rows = {tuple(row["keys"].values()): row["cells"] for row in part["rows"]}
    assert list(rows) == [("Greedy", "0.5"), ("Greedy", "0.8"), ("CAT", "0.5"), ("CAT", "0.8")]
    assert rows["CAT", "0.8"][0]["ours"] == (erases[2] + erases[3]) / 2
    assert rows["CAT", "0.8"][1]["ours"] == (erases[2] - erases[0]) / 2 + (erases[3] - erases[1]) / 2
    assert [cell["quantity"] for cell in rows["Greedy", "0.8"]] == ["erasures"], "the other is CAT's alone"
    judged = rows["Greedy", "0.5"][0]
    assert (judged["paper"], judged["tolerance"], judged["verdict"]) == (3, 100, "pass")
    assert rows["Greedy", "0.8"][0]["tolerance"] is None, "nothing is published there"


def test_claims_plots_and_what_is_open_stand_beside_the_rows(reproduced: dict[str, Any]) -> None:
    part = reproduced["experiments"][0]
    claim = part["claims"][0]
    assert (claim["least"], claim["most"], claim["verdict"], claim["missed_by"]) == (0, None, "holds", 0)
    lines = part["plots"][0]["series"]
    assert [line["label"] for line in lines] == ["Greedy", "CAT"]
    assert [point["x"] for point in lines[0]["points"]] == [0.5, 0.8]
    assert lines[1]["points"][1]["y"] == part["rows"][3]["cells"][0]["ours"]
    open_values = part["sensitivity"]
    named = [effect["name"] for effect in open_values["effects"]] + open_values["without_effect"]
    assert set(named) == {"ftl.low_water"}


def test_given_keys_count_in_all_runs_and_stand_among_the_notes(tmp_path: Path) -> None:
    words = ["--set", "ftl.selection=greedy", "--set", "workload.total_mib=0.6"]
    main(["reproduce", str(write(tmp_path)), "--seeds", "1", "--no-vary", "--out", str(tmp_path), "-q", *words])
    part = json.loads((tmp_path / "reproduce.json").read_text())["experiments"][0]
    assert part["notes"][0].endswith('says: ftl.selection = "greedy", workload.total_mib = 0.6.')
    greedy, cat = (part["rows"][row]["cells"][0]["ours"] for row in (1, 3))
    assert greedy == cat, "the axis of policies does not count any more"


@pytest.mark.parametrize(("seeds", "shown"), [(1, ["erasures"]), (2, ["erasures", "spread"])])
def test_one_seed_has_no_interval_to_show_and_claims_count_it_as_zero(
    tmp_path: Path, seeds: int, shown: list[str]
) -> None:
    spread = '[quantities.spread]\nvalue = "seed_interval(erases)"\n[published.greedy]\n"0.8".spread = 2\n'
    claim = '[[claims]]\ntext = "seeds agree"\nvalue = "spread"\nrange = [0, inf]\n[[plots]]'
    text = SMALL.replace("[published.greedy]\n", spread).replace("[[plots]]", claim)
    words = ["--seeds", str(seeds), "--no-vary", "--out", str(tmp_path), "-q"]
    assert main(["reproduce", str(write(tmp_path, text)), *words]) == 0
    part = json.loads((tmp_path / "reproduce.json").read_text())["experiments"][0]
    assert [cell["quantity"] for cell in part["rows"][1]["cells"]] == shown
    assert [claim["verdict"] for claim in part["claims"]] == ["holds", "holds"]
    fill(load_report(tmp_path))


def test_results_are_the_same_again(reproduced: dict[str, Any], tmp_path: Path) -> None:
    main(["reproduce", str(write(tmp_path)), "--seeds", "2", "--out", str(tmp_path / "out"), "-q", "--jobs", "1"])
    assert json.loads((tmp_path / "out" / "reproduce.json").read_text()) == reproduced


def test_a_figure_outside_its_tolerance_has_a_status_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SMALL.replace("absolute = 100", "absolute = 0").replace('"0.5".erasures = 3', '"0.5".erasures = 3000')
    assert main(["reproduce", str(write(tmp_path, text)), "--seeds", "1", "--no-vary", "--out", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "DIFFERS" in out
    assert "the card is erased" in out
    assert "Unpublished values" not in out


def test_the_list_names_all_in_the_order_of_their_papers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].startswith("fms-table4 ")
    assert any(line.startswith("flexfs-energy ") for line in lines)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fms-tabel4"], "no experiment is named 'fms-tabel4'; did you mean 'fms-table4'?"),
        (["--seed", "x"], "argument --seed: invalid int value: 'x'; see `ftlab reproduce --help`"),
        (["--seeds", "0"], "--seeds 0: must be a whole number from 1 to 1000"),
        (["--jobs", "0"], "--jobs 0: must be a whole number from 1 to 2147483648"),
        (
            ["--set", "seed=1"],
            "--set: seed: is no key of a study; seeds are counted by --seeds; `ftlab keys` lists all",
        ),
        (
            ["--set", "ftl.selction=lru"],
            "--set: ftl.selction: is no key of a study; did you mean 'ftl.selection'?; `ftlab",
        ),
        (["--set", "seed"], "--set seed: lacks '='; write KEY=VALUE"),
        (["--sedes", "1"], "unknown option '--sedes'; did you mean '--seeds'?"),
        (["--out", ""], "--out: must not be empty; name a folder for the results"),
        (["none.toml"], "none.toml: cannot be read (No such file or directory); docs/experiments.md"),
    ],
)
def test_slips_on_the_command_line_are_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", *words]) == 2
    assert capsys.readouterr().err.startswith(f"ftlab: error: {said}")


def test_an_experiment_whose_trace_is_missing_is_left_out_unless_it_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("FTLAB_TRACE_DIR", raising=False)
    monkeypatch.setattr("ftlab.reproduce.cli.names", lambda: ["fms-hplajw", "fms-stand-in", "flexfs-table1"])
    assert main(["reproduce", "--seeds", "1", "--no-vary", "--out", str(tmp_path / "all")]) == 0
    assert "ftlab: note: fms-hplajw is left out: hplajw-1week.srt.gz: no such trace" in capsys.readouterr().err
    parts = json.loads((tmp_path / "all" / "reproduce.json").read_text())["experiments"]
    assert [part["name"] for part in parts] == ["flexfs-table1"], "the stand-in runs where it is named"
    assert main(["reproduce", "fms-hplajw", "--out", str(tmp_path / "one")]) == 2
    assert "DiskSim" in capsys.readouterr().err


def test_what_the_program_notes_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SMALL.replace(
        "workload.total_mib = 0.5", 'workload = { total_mib = 0.5, kind = "uniform", hot_place = "contiguous" }'
    )
    path = write(tmp_path, text)
    assert main(["reproduce", str(path), "--seeds", "2", "--no-vary", "-q", "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().err == (
        "ftlab: note: small, Greedy, 0.5: workload.hot_place: has no effect in this study; it counts with "
        'workload.kind = "hot_cold" (8 runs)\n'
    )


def test_a_run_that_the_program_refuses_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, SMALL.replace("ftl.utilization = 0.8", "ftl.utilization = 1.5"))
    # One at a time: of several the first to end is named.
    assert main(["reproduce", str(path), "--seeds", "1", "--jobs", "1", "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert "small, Greedy, 0.8, seed 1" in error
    assert "ftl.utilization" in error
    assert not (tmp_path / "out" / "reproduce.json").exists()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("1 / (erases - erases)", "divides by zero"),
        ("0 * 1e999", "is no finite number"),
        ("9 ** 9 ** 9", "is too large for a number"),
        ("overall_rate(run)", "a function got what it cannot use"),
        ("timeline_at(run, 'erases', 1)", "the result of a run has no timeline; samples need platform.sample_s"),
        ("policy", "is no finite number"),
    ],
)
def test_a_value_that_is_no_number_is_said_with_its_row(
    value: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, SMALL.replace('value = "erases"', f'value = "{value}"', 1))
    assert main(["reproduce", str(path), "--seeds", "1", "--no-vary", "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert "quantities.erasures.value: Greedy, 0.5: " in error
    assert said in error
    assert error.count("\n") == 1


def test_runs_that_end_early_are_said(tmp_path: Path) -> None:
    weak = "part_overrides.endurance = { rated = 3, median = 4 }\nworkload.total_mib = 60"
    path = write(tmp_path, SMALL.replace("workload.total_mib = 0.5", weak))
    main(["reproduce", str(path), "--seeds", "1", "--no-vary", "--out", str(tmp_path / "out"), "-q"])
    part = json.loads((tmp_path / "out" / "reproduce.json").read_text())["experiments"][0]
    assert part["notes"][0].startswith("4 of 4 runs ended early")


def test_two_of_one_name_and_a_folder_that_is_none_are_refused_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write(tmp_path))
    assert main(["reproduce", path, path]) == 2
    assert "two experiments are named small" in capsys.readouterr().err
    assert main(["reproduce", path, "--out", path]) == 2
    assert f"--out {path}: cannot be made (File exists)" in capsys.readouterr().err


def test_a_study_that_cannot_be_described_is_refused_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bank, "results", lambda *_: pytest.fail("it was simulated"))
    text = SMALL.replace("source =", 'paper = "fms"\nsource =').replace("[study]", '[study]\nworkload.kind = "trace"')
    trace = write(tmp_path, "", "writes.csv")
    text = text.replace("set = { ftl.utilization", f'set = {{ workload.path = "{trace}", ftl.utilization')
    assert main(["reproduce", str(write(tmp_path, text)), "--out", str(tmp_path / "out")]) == 2
    assert "workload.path: missing" in capsys.readouterr().err


def test_a_figure_that_a_result_lacks_is_said_with_file_and_row(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, SMALL.replace('"flash.erases"', '"firmware.figures.used_mib"'))
    assert main(["reproduce", str(path), "--seeds", "1", "--out", str(tmp_path / "out")]) == 2
    assert (
        "quantities.erasures.value: Greedy, 0.5: the result of a run has no figure firmware" in capsys.readouterr().err
    )


def test_every_run_is_simulated_once_however_often_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Request] = []

    def run(request: Request, _: Path) -> Answer:
        asked.append(request)
        return Answer({"seed": request.seed}, [])

    monkeypatch.setattr("ftlab.reproduce.bank._run", run)
    bank = Bank(2, ProgressLine("test", "runs", quiet=True))
    requests = [Request("a", "run", ("x=1",), seed) for seed in (1, 2, 1)] + [Request("b", "run", ("x=1",), 2)]
    assert [found["seed"] for found in bank.results(requests)] == [1, 2, 1, 2]
    assert len(asked) == 2
    bank.results(requests[:1])
    assert len(asked) == 2


# A made-up simulator: "cost" is what ftl.low_water says times the seed, "fixed" is 7 whatever happens.
_TOY = """title = "Toy"
source = "nowhere"
[axes.row]
values = [{ name = "only" }]
[quantities.cost]
decimals = 1
value = "flash.erases"
[quantities.fixed]
decimals = 1
value = "flash.pages_copied"
[vary]
files = []
"""


class _Toy:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.simulated = 0
        self.experiment: Experiment = read_experiment(write(folder, _TOY), "toy")
        self._monkeypatch = monkeypatch
        monkeypatch.setattr("ftlab.reproduce.bank._run", self._run)

    def _run(self, request: Request, _: Path) -> Answer:
        self.simulated += 1
        cost = next((float(text.split("=")[1]) for text in request.settings if text.startswith("ftl.low_water=")), 10.0)
        return Answer({"flash": {"erases": cost * request.seed, "pages_copied": 7}}, [])

    def sensitivity(self, values: list[tuple[str, list[float]]]) -> dict[str, Any]:
        found = [
            OpenValue(
                name, "10", tuple(Variant(f"{to:g}", {"ftl.low_water": to} if name != "other" else {}) for to in tos)
            )
            for name, tos in values
        ]
        self._monkeypatch.setattr(sensitivity, "open_values", lambda _: found)
        return sensitivity.sensitivity_of(self.experiment, Bank(1, ProgressLine("t", "runs", quiet=True)), [1, 3]) or {}


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> _Toy:
    return _Toy(tmp_path, monkeypatch)


def test_figures_that_move_are_reported_with_both_sides(toy: _Toy) -> None:
    found = toy.sensitivity([("cost", [8, 12])])
    assert len(found["effects"]) == 1, "fixed does not move"
    effect = found["effects"][0]
    assert (effect["name"], effect["used"], effect["keys"], effect["quantity"]) == (
        "cost",
        "10",
        {"row": "only"},
        "cost",
    )
    assert effect["ours"] == 20, "mean of the seeds 1 and 3"
    assert effect["variants"] == [{"value": "8", "ours": 16.0}, {"value": "12", "ours": 24.0}]
    assert found["without_effect"] == []


def test_what_moves_nothing_at_the_digits_shown_runs_with_one_seed_alone(toy: _Toy) -> None:
    found = toy.sensitivity([("cost", [10.01]), ("other", [8, 12])])
    assert (found["effects"], found["without_effect"]) == ([], ["cost", "other"])
    # The base is one run with both variants of `other`, which change nothing: 2 with the first seed, 2 with both.
    assert toy.simulated == 2 + 2


def test_one_side_that_moves_brings_the_other(toy: _Toy) -> None:
    found = toy.sensitivity([("cost", [10, 12])])
    assert [variant["value"] for variant in found["effects"][0]["variants"]] == ["10", "12"]


def test_more_values_than_are_simulated_together_keep_their_order(toy: _Toy) -> None:
    found = toy.sensitivity([(f"v{place}", [20.0 + place, 60.0 + place]) for place in range(30)])
    assert [effect["variants"][1]["ours"] for effect in found["effects"]] == [2.0 * (60 + place) for place in range(30)]


def test_an_experiment_that_varies_nothing_has_no_such_part(tmp_path: Path) -> None:
    experiment = read_experiment(write(tmp_path, SMALL[: SMALL.index("[vary]")]), "small")
    bank = Bank(2, ProgressLine("test", "runs", quiet=True))
    assert "sensitivity" not in experiment_part(experiment, bank, [1])


def test_choices_that_no_paper_publishes_are_those_of_the_runs() -> None:
    experiment = experiment_named("fms-table4")
    run = ftlab.run(
        {"part": "series2plus-24mb", "ftl": {"page_bytes": 4096, "utilization": 0.9}, "workload": {"total_mib": 0.01}}
    )
    parameters = {row["name"]: row for row in document_of([experiment], [])["parameters"] if row["group"] == "fms"}
    assert parameters["low_water"]["value"] == 3
    assert parameters["logical_pages"]["value"] == run.device.logical_bytes / 4096
    for name in ("low_water", "ties", "hot_set", "hot_degree_mean", "age_exponent"):
        assert parameters[name]["fitted"]
        assert parameters[name]["free"]
        assert parameters[name]["source"]
    assert parameters["age_exponent"]["note"] == "estimate"
    assert any(row["mark"] == "fitted" for row in listing("hosts", "pentium-133"))
