"""What a signal does to ftlab and to what it starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

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


@needs_program
@pytest.mark.parametrize("delay_s", [0, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32])
def test_several_seeds_that_are_interrupted_leave_no_folder(tmp_path: Path, delay_s: float) -> None:
    study = tmp_path / "study.toml"
    study.write_text('part = "series2plus-4mb"\n[workload]\ntotal_mib = 100000\n')
    out = tmp_path / "new" / "out"
    words = [str(program()), "run", str(study), "--seeds", "2", "--out", str(out)]
    with subprocess.Popen(
        words, env={**os.environ, "FTLAB_PYTHON": sys.executable}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        while not out.exists():
            assert process.poll() is None
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode in (130, -signal.SIGINT), said
    assert not out.parent.exists()
