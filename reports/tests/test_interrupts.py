"""What a signal does to ftlab and to what it starts."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ftlab
from ftlab import interrupts, made_folders
from ftlab.program import program
from program import needs_program

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def _handlers_as_before() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number in _ENDING:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def _killed_by(number: signal.Signals) -> int:
    """How a process started now ends when it gets this signal."""
    return subprocess.run(["sh", "-c", f"kill -{number.value} $$; exit 0"], check=False).returncode


@pytest.mark.parametrize("first", _ENDING)
def test_the_first_interrupts_and_a_second_does_nothing(first: signal.Signals) -> None:
    interrupts.heed()
    with pytest.raises(KeyboardInterrupt) as stop:
        signal.raise_signal(first)
    assert stop.value.args == (first,)
    for second in _ENDING:
        signal.raise_signal(second)


def test_what_is_started_after_an_interrupt_still_ends_by_a_signal() -> None:
    interrupts.heed()
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert [_killed_by(number) for number in _ENDING] == [-number for number in _ENDING]


def test_an_ignored_hangup_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interrupts.heed()
    signal.raise_signal(signal.SIGHUP)
    assert _killed_by(signal.SIGHUP) == 0


def test_what_waited_is_heeded_at_once() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    signal.raise_signal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt) as stop:
        interrupts.heed()
    assert stop.value.args == (signal.SIGTERM,)
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ()) & set(_ENDING)


@pytest.mark.parametrize(
    ("made", "used", "left"),
    [(2, "", []), (1, "", ["a"]), (0, "", ["a", "a/b"]), (2, "a/c", ["a", "a/c"]), (2, "a/b/c", ["a", "a/b", "a/b/c"])],
)
def test_only_folders_that_were_made_and_not_used_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, made: int, used: str, left: list[str]
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    if used:
        (tmp_path / used).mkdir()
    monkeypatch.setenv("FTLAB_MADE_FOLDERS", f"{made} {tmp_path / 'a' / 'b'}")
    made_folders.remove_unused()
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*")) == left
    assert "FTLAB_MADE_FOLDERS" not in os.environ


_NOTHING = "ftlab: interrupted; nothing was written; the same command starts anew\n"
_LONG = 'part = "series2plus-4mb"\n[workload]\ntotal_mib = 100000\n'
_DELAYS_MS = (0, 0, 0, 1, 2, 3, 5, 8, 13, 20, 30, 40, 60, 100, 250)


def _has_open(pid: int, folder: Path) -> bool:
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if entry.readlink() == folder:
                return True
    return False


def _interrupted(words: list[str], seeds: int, out: Path, delay_s: float) -> tuple[int, str]:
    """Status and standard error of a run that gets a SIGINT so long after it made, or claimed, its folder."""
    claims = out.exists()
    command = [str(program()), "run", *words, "--seeds", str(seeds)]
    with subprocess.Popen(
        command, env={**os.environ, "FTLAB_PYTHON": sys.executable}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True,
    ) as process:  # fmt: skip
        while not (_has_open(process.pid, out) if claims else out.exists()):
            assert process.poll() is None
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    return process.returncode, said


@needs_program
@pytest.mark.parametrize("seeds", [1, 2])
def test_run_that_is_interrupted_says_in_one_line_what_it_left(tmp_path: Path, seeds: int) -> None:
    study = tmp_path / "study.toml"
    study.write_text(_LONG)
    for n, delay_ms in enumerate(_DELAYS_MS):
        out = tmp_path / f"new{n}" / "out"
        status, said = _interrupted([str(study), "--out", str(out)], seeds, out, delay_ms / 1000)
        # The program itself ends by the signal, Python as a shell would say.
        assert status in ((-signal.SIGINT,) if seeds == 1 else (130, -signal.SIGINT)), (delay_ms, said)
        assert said == _NOTHING, delay_ms
        assert not out.parent.exists(), delay_ms


@needs_program
@pytest.mark.parametrize("seeds", [1, 2])
def test_interrupt_leaves_an_earlier_result_and_says_so(tmp_path: Path, seeds: int) -> None:
    study = tmp_path / "study.toml"
    study.write_text(_LONG)
    result = tmp_path / "out" / "result.json"
    result.parent.mkdir()
    result.write_text("{}\n")
    _, said = _interrupted([str(study), "--out", str(result.parent)], seeds, result.parent, 0)
    assert said == _NOTHING.replace("written;", f"written, {result} is as it was before;")
    assert [path.name for path in result.parent.iterdir()] == ["result.json"]
    assert result.read_text() == "{}\n"


@needs_program
@pytest.mark.parametrize("command", ["explain", "timeline"])
def test_a_repetition_that_is_interrupted_says_in_one_line_what_it_left(tmp_path: Path, command: str) -> None:
    ftlab.run(part="series2plus-4mb", workload__total_mib=1, out=tmp_path)
    result = json.loads((tmp_path / "result.json").read_text())
    result["config"]["workload"]["total_mib"] = 4000
    (tmp_path / "result.json").write_text(json.dumps(result))
    trace = tmp_path / "timeline.pftrace"
    for there in (False, True):
        if there:
            trace.write_bytes(b"before")
        environment = {**os.environ, "FTLAB_PYTHON": sys.executable}
        with subprocess.Popen(
            [str(program()), command, str(tmp_path)], env=environment, stderr=subprocess.PIPE, text=True
        ) as process:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
            while not children.read_text():
                assert process.poll() is None
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        kept = f", {trace} is as it was before" if there and command == "timeline" else ""
        assert said == _NOTHING.replace("written;", f"written{kept};")
        assert process.returncode == 128 + signal.SIGINT
    assert trace.read_bytes() == b"before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result.json", "study.toml", "timeline.pftrace"]


@needs_program
def test_run_under_nohup_goes_on_after_a_hangup(tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    study.write_text('part = "series2plus-4mb"\n[workload]\ntotal_mib = 8\n')
    for seeds in (1, 2):
        out = tmp_path / str(seeds)
        script = (
            'trap "" HUP; "$0" run "$1" -q --seeds "$2" --out "$3" & '
            'until [ -e "$3" ]; do :; done; kill -HUP $!; wait $!'
        )
        words = ["sh", "-c", script, str(program()), str(study), str(seeds), str(out)]
        subprocess.run(words, check=True, env={**os.environ, "FTLAB_PYTHON": sys.executable})
        assert (out / "result.json").exists()


def test_signals_that_are_held_come_at_the_end() -> None:
    done = []

    def held_twice() -> None:
        with interrupts.held():
            with interrupts.held():
                signal.raise_signal(signal.SIGINT)
            done.append("all of it")

    interrupts.heed()
    with pytest.raises(KeyboardInterrupt):
        held_twice()
    assert done
