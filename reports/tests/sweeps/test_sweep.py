"""Sweeps with the simulator: what is in the table, what a kill leaves, what goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

import ftlab
from ftlab.commands import main
from ftlab.program import program
from program import needs_program

pytestmark = needs_program

_SWEEP = """seeds = 2
figures = ["flash.erases", "write_amplification"]
[study]
part = "series2plus-4mb"
workload.total_mib = 0.5
[axes]
"ftl.selection" = ["greedy", "cat"]
"ftl.utilization" = [0.5, 0.9, 1.5]
"""


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(_SWEEP)
    return path


def test_table_has_axes_means_intervals_and_reasons(sweep: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["sweep", str(sweep), "--out", str(out), "-q"]) == 0
    table = pd.read_parquet(out / "table.parquet")
    assert list(table.columns) == [
        "ftl.selection", "ftl.utilization", "flash.erases.mean", "flash.erases.ci95", "write_amplification.mean",
        "write_amplification.ci95", "runs", "ended_early", "failed", "reason",
    ]  # fmt: skip
    pd.testing.assert_frame_equal(table, pd.read_csv(out / "table.csv", keep_default_na=True).fillna({"reason": ""}))
    impossible = table[table["ftl.utilization"] == 1.5]
    assert (impossible["failed"] == 2).all()
    assert impossible["reason"].str.startswith(f"{sweep}:8: axes.ftl.utilization: 1.5 is out of range").all()
    worked = table[table["ftl.utilization"] < 1]
    assert (worked["runs"] == 2).all()
    erases = [ftlab.run({"part": "series2plus-4mb", "workload": {"total_mib": 0.5}}, ftl__selection="cat", ftl__utilization=0.9, seed=s)
              for s in (1, 2)]  # fmt: skip
    row = worked[(worked["ftl.selection"] == "cat") & (worked["ftl.utilization"] == 0.9)].iloc[0]
    assert row["flash.erases.mean"] == sum(run.flash.erases for run in erases) / 2


def test_killed_at_random_moments_and_resumed_it_gives_the_same_table(sweep: Path, tmp_path: Path) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    sweep.write_text(
        _SWEEP.replace("0.5, 0.9, 1.5", "0.5, 0.6, 0.7, 0.8, 0.9").replace("total_mib = 0.5", "total_mib = 4")
    )
    assert main(["sweep", str(sweep), "--out", str(whole), "-q"]) == 0
    dice = random.Random(5)
    lines: list[int] = []
    for _ in range(5):
        process = _started([sys.executable, "-m", "ftlab", "sweep", str(sweep), "--out", str(killed), "-q"])
        begun = time.monotonic()
        wanted = dice.randrange(1, 5) + (lines[-1] if lines else 0)
        while process.poll() is None and time.monotonic() - begun < 60 and _lines(killed) <= wanted:
            time.sleep(0.005)
        process.send_signal(dice.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        process.wait(60)
        lines.append(_lines(killed))
    assert lines == sorted(lines)
    assert main(["sweep", str(sweep), "--out", str(killed), "-q"]) == 0
    for name in ("table.csv", "table.parquet"):
        assert (whole / name).read_bytes() == (killed / name).read_bytes()
    assert not list(killed.glob(".ftlab-runs-*"))
    runs = [json.loads(line)["run"] for line in (killed / "runs.jsonl").read_text().splitlines()[1:]]
    assert len(runs) == len(set(runs)) == 20, "nothing is computed again"


def _started(command: list[str], stderr: int | None = None) -> subprocess.Popen[bytes]:
    """As from a terminal: what runs in the background ignores SIGINT, or SIGHUP, and so would its children."""

    def hear_interrupts() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)

    environment = {**os.environ, "FTLAB_PYTHON": sys.executable}
    return subprocess.Popen(command, env=environment, preexec_fn=hear_interrupts, stderr=stderr)


def _lines(folder: Path) -> int:
    file = folder / "runs.jsonl"
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_a_killed_sweep_takes_its_simulations_along(sweep: Path, tmp_path: Path, how: signal.Signals) -> None:
    sweep.write_text(_SWEEP.replace("total_mib = 0.5", "total_mib = 100000"))
    command = [str(program()), "sweep", str(sweep), "--out", str(tmp_path / "out"), "-q"]
    process = _started(command)
    deadline = time.monotonic() + 60
    while not (simulations := _simulations(tmp_path)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert simulations
    process.send_signal(how)
    process.wait(60)
    while _simulations(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _simulations(tmp_path)


def _simulations(folder: Path) -> list[int]:
    """Processes of `ftlab run` for this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
            alive = (process / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except OSError:
            continue
        if alive and words[1:2] == [b"run"] and any(word.startswith(str(folder).encode()) for word in words):
            found.append(int(process.name))
    return found


def test_a_part_file_or_trace_that_changed_is_not_mixed_with_what_has_run(
    sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part = tmp_path / "mine.toml"
    part.write_text('base = "series2plus-4mb"\n')
    sweep.write_text(_SWEEP.replace("series2plus-4mb", "mine.toml").replace("0.5, 0.9, 1.5", "0.5"))
    arguments = [str(sweep), "--out", str(tmp_path / "out"), "-q"]
    assert main(["sweep", *arguments]) == 0, capsys.readouterr().err
    part.write_text('base = "series2plus-8mb"\n')
    assert main(["sweep", *arguments]) == 2
    assert "holds runs of parts, hosts, scenarios or traces that have changed" in capsys.readouterr().err
    assert main(["sweep", *arguments, "--force"]) == 0


def test_a_sweep_that_grows_computes_what_is_new(sweep: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["sweep", str(sweep), "--out", str(out), "-q"]) == 0
    before = (out / "runs.jsonl").read_bytes()
    sweep.write_text(_SWEEP.replace("0.9, 1.5", "0.9").replace("seeds = 2", "seeds = 3"))
    assert main(["sweep", str(sweep), "--out", str(out), "-q"]) == 0
    assert (out / "runs.jsonl").read_bytes().startswith(before)
    assert _lines(out) == 1 + 12 + 4
    assert (pd.read_csv(out / "table.csv")["runs"] == 3).all()


def test_sweep_in_which_nothing_works_is_refused(
    sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep.write_text(_SWEEP.replace("0.5, 0.9, 1.5", "1.5"))
    assert main(["sweep", str(sweep), "--out", str(tmp_path / "out")]) == 2
    assert "2 of 2 points failed, the first because of:" in capsys.readouterr().err


def test_refusal_of_what_no_study_says_names_no_study(
    sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep.write_text('[axes]\n"workload.kind" = ["trace"]\n')
    assert main(["sweep", str(sweep), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "because of: by default: workload.path: missing; " in said
    assert "study.toml" not in said


def test_files_of_the_user_are_left_alone(sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    (out / ".scratch").mkdir(parents=True)
    (out / ".scratch" / "mine").write_text("precious")
    for name in ("table.csv", "sweep.json", "table.parquet", "runs.jsonl"):
        (out / name).write_text("precious")
        assert main(["sweep", str(sweep), "--out", str(out)]) == 2
        assert f"{name}: is " in capsys.readouterr().err
        assert (out / name).read_text() == "precious"
        if name == "runs.jsonl":
            assert main(["sweep", str(sweep), "--out", str(out), "--force"]) == 2
            assert (out / name).read_text() == "precious"
        (out / name).unlink()
    assert main(["sweep", str(sweep), "--out", str(out), "-q"]) == 0
    assert (out / ".scratch" / "mine").read_text() == "precious"
    assert main(["sweep", str(sweep), "--out", ""]) == 2
    capsys.readouterr()
    assert main(["sweep", str(sweep), "--out", str(sweep)]) == 2
    assert f"{sweep}: is a file, not a folder; choose another --out" in capsys.readouterr().err


def test_what_a_kill_left_is_removed_though_nothing_is_missing(sweep: Path, tmp_path: Path) -> None:
    arguments = ["sweep", str(sweep), "--out", str(tmp_path / "out"), "-q"]
    assert main(arguments) == 0
    (tmp_path / "out" / ".ftlab-runs-x").mkdir()
    assert main(arguments) == 0
    assert not list((tmp_path / "out").glob(".ftlab-runs-*"))


def test_a_part_that_changes_meanwhile_ends_the_sweep_and_what_it_spoilt_is_not_kept(
    sweep: Path, tmp_path: Path
) -> None:
    part = tmp_path / "mine.toml"
    part.write_text('base = "series2plus-4mb"\n')
    sweep.write_text(_SWEEP.replace("series2plus-4mb", "mine.toml").replace("total_mib = 0.5", "total_mib = 8"))
    out = tmp_path / "out"
    process = _started([str(program()), "sweep", str(sweep), "--out", str(out), "--jobs", "1"])
    while _lines(out) < 3 and process.poll() is None:
        time.sleep(0.005)
    part.write_text('base = "series2plus-4mb"\n# another\n')
    assert process.wait(60) == 2
    part.write_text('base = "series2plus-4mb"\n')
    assert main(["sweep", str(sweep), "--out", str(out), "-q"]) == 0
    whole = tmp_path / "whole"
    assert main(["sweep", str(sweep), "--out", str(whole), "-q"]) == 0
    assert (whole / "table.csv").read_bytes() == (out / "table.csv").read_bytes()


@pytest.mark.parametrize(("axis", "reason"), [('part = [["a"], "series2plus-4mb"]', "part"), (f'part = ["{"x" * 300}", "series2plus-4mb"]', "part"), (f'part_profile = ["{"x" * 140000}", ""]', "cannot be started")])  # fmt: skip
def test_value_that_cannot_be_is_a_failed_point_among_others(
    sweep: Path, tmp_path: Path, axis: str, reason: str
) -> None:
    part = "" if axis.startswith("part") else 'part = "series2plus-4mb"\n'
    sweep.write_text(f"[study]\n{part}workload.total_mib = 0.5\nftl.utilization = 0.8\n[axes]\n{axis}\n")
    assert main(["sweep", str(sweep), "--out", str(tmp_path / "out"), "-q"]) == 0
    table = pd.read_csv(tmp_path / "out" / "table.csv")
    assert list(table["runs"]) == [0, 1]
    assert reason in table["reason"][0]


def _wait_for_handlers(process: int) -> None:
    """Until Python has taken the program's place and catches what would end it."""
    wanted = (1 << (signal.SIGTERM - 1)) | (1 << (signal.SIGHUP - 1))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        is_python = b"-m\0ftlab\0" in Path(f"/proc/{process}/cmdline").read_bytes()
        status = Path(f"/proc/{process}/status").read_text()
        caught = int(status.partition("SigCgt:")[2].split()[0], 16)
        if is_python and caught & wanted == wanted:
            return
        time.sleep(0.002)
    raise AssertionError("no handlers after a minute")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_ended_by_a_signal_at_any_moment_it_says_so_and_cleans_up(
    sweep: Path, tmp_path: Path, how: signal.Signals
) -> None:
    sweep.write_text(_SWEEP.replace("total_mib = 0.5", "total_mib = 400"))
    for delay in (0.0, 0.3, 0.9, 1.5):
        out = tmp_path / str(delay)
        process = _started([str(program()), "sweep", str(sweep), "--out", str(out), "-q"], stderr=subprocess.PIPE)
        _wait_for_handlers(process.pid)
        time.sleep(delay)
        process.send_signal(how)
        time.sleep(0.01)
        process.send_signal(how)
        _, said = process.communicate(timeout=60)
        assert said.startswith(b"ftlab: interrupted")
        assert process.returncode == 128 + how
        assert not list(out.glob(".ftlab-runs-*"))


@pytest.mark.shared
def test_full_disk_behind_standard_output_is_one_line_and_a_reader_that_left_none(sweep: Path, tmp_path: Path) -> None:
    command = [str(program()), "sweep", str(sweep), "--out", str(tmp_path / "out")]
    environment = {**os.environ, "FTLAB_PYTHON": sys.executable}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert "ftlab: error: standard output: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    closed, into = os.pipe()
    os.close(closed)
    done = subprocess.run(command, stdout=into, stderr=subprocess.PIPE, text=True, check=False, env=environment)
    os.close(into)
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_key_without_effect_is_noted_once(sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweep.write_text(_SWEEP.replace('"ftl.utilization" = [0.5, 0.9, 1.5]', '"flexfs.wait_s" = [3, 4]'))
    for _ in range(2):
        assert main(["sweep", str(sweep), "--out", str(tmp_path / "out")]) == 0
        said = capsys.readouterr().err
        assert said.count("flexfs.wait_s") == 1
        assert "(8 runs)" in said


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--halp"], "unknown option '--halp'; did you mean '--help'?"),
        (["a.toml", "--job=3"], "unknown option '--job'; did you mean '--jobs'?"),
        ([], "the following arguments are required: SWEEP.toml; see `ftlab sweep --help`"),
        (["a.toml", "b.toml"], "unrecognized arguments: b.toml; see"),
        (["a.toml", "--jobs", "x"], "argument --jobs: invalid int value: 'x'; see"),
        ([""], "argument SWEEP.toml: must not be empty; see"),
        (["a.toml", "--jobs", "0"], "--jobs 0: must be a whole number from 1 on"),
    ],
)
def test_slip_on_the_command_line_is_one_line(words: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", *words]) == 2
    said = capsys.readouterr().err
    assert line in said
    assert said.count("\n") == 1


def test_python_gives_the_same_table(sweep: Path, tmp_path: Path) -> None:
    main(["sweep", str(sweep), "--out", str(tmp_path / "out"), "-q"])
    table = ftlab.sweep(
        {"part": "series2plus-4mb", "workload": {"total_mib": 0.5}},
        {"ftl.selection": ["greedy", "cat"], "ftl.utilization": [0.5, 0.9, 1.5]},
        figures=["flash.erases", "write_amplification"],
        seeds=2,
    )
    kept = ftlab.load(tmp_path / "out")
    assert isinstance(kept, pd.DataFrame)
    # A file has lines, and a call has none.
    kept["reason"] = kept["reason"].str.replace(f"{sweep}:8: ", "sweep: ", regex=False)
    pd.testing.assert_frame_equal(table, kept)


def test_more_jobs_than_processors_change_nothing(sweep: Path, tmp_path: Path) -> None:
    for jobs in ("1", "7"):
        assert main(["sweep", str(sweep), "--out", str(tmp_path / jobs), "--jobs", jobs, "-q"]) == 0
    assert (tmp_path / "1" / "table.parquet").read_bytes() == (tmp_path / "7" / "table.parquet").read_bytes()
