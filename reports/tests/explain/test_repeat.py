"""A run whose trace is elsewhere now is repeated with it, and with no other one."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftlab.commands import main
from ftlab.errors import InputError
from ftlab.explain.repeat import repeated
from ftlab.program import simulate
from program import needs_program

pytestmark = needs_program


@pytest.fixture
def moved(tmp_path: Path) -> Path:
    """The folder of a result and of the trace that it was made of."""
    trace = tmp_path / "first.spc"
    trace.write_text("0,0,4096,w,1\n0,8,4096,w,2\n")
    study = tmp_path / "study.toml"
    study.write_text('part = "series2plus-4mb"\n[workload]\nkind = "trace"\npath = "first.spc"\n')
    simulate(study, [], tmp_path)
    trace.rename(tmp_path / "moved.spc")
    return tmp_path


def test_trace_that_has_moved_is_named_by_set(moved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", str(moved), "--set", f"workload.path={moved}/moved.spc"]) == 0
    assert "2 write requests" in capsys.readouterr().out
    assert main(["timeline", str(moved), "--set", f"workload.path={moved}/moved.spc"]) == 0
    assert (moved / "timeline.pftrace").exists()


def test_other_keys_and_other_traces_are_refused(moved: Path) -> None:
    with pytest.raises(InputError, match=r"--set seed=2: .* only workload\.path and workload\.sha256 can be set"):
        repeated(moved, settings=["seed=2"]).__enter__()
    (moved / "first.spc").write_text("0,0,4096,w,1\n")
    with pytest.raises(InputError, match=r"is no result of this trace; make one of it with `ftlab run`"):
        repeated(moved, settings=['workload.sha256=""']).__enter__()
