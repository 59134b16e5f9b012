"""The same sweep on other machines: workers of a scheduler, some of which are lost."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from distributed import LocalCluster

from ftlab.commands import main
from program import needs_program

pytestmark = needs_program

_SWEEP = """seeds = 2
[study]
part = "series2plus-4mb"
workload.total_mib = 4
[axes]
"ftl.selection" = ["greedy", "cat"]
"ftl.utilization" = { from = 0.5, to = 0.9, steps = 9 }
"""


def _local(sweep: Path, out: Path) -> bytes:
    assert main(["sweep", str(sweep), "--out", str(out), "-q"]) == 0
    return (out / "table.parquet").read_bytes()


@pytest.fixture
def sweep(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.toml"
    path.write_text(_SWEEP)
    return path


@pytest.mark.shared
def test_lost_worker_changes_nothing(sweep: Path, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster:
        victim = cluster.workers[0].pid

        def kill_one() -> None:
            while not (there / "runs.jsonl").exists() or (there / "runs.jsonl").read_bytes().count(b"\n") < 5:
                time.sleep(0.01)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill_one)
        killer.start()
        assert main(["sweep", str(sweep), "--out", str(there), "--scheduler", cluster.scheduler_address, "-q"]) == 0
        killer.join()
    assert (there / "table.parquet").read_bytes() == _local(sweep, here)


def test_scheduler_that_is_not_there_is_one_line(
    sweep: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(sweep), "--out", str(tmp_path / "out")]
    assert main(["sweep", *arguments, "--scheduler", "nowhere"]) == 2
    assert "--scheduler nowhere: no Dask scheduler answers there" in capsys.readouterr().err
    assert main(["sweep", *arguments, "--cluster", "slum"]) == 2
    assert "--cluster slum: is no queueing system; did you mean 'slurm'?" in capsys.readouterr().err
    assert main(["sweep", *arguments, "--cluster", "slurm", "--scheduler", "tcp://a:1"]) == 2
    assert "exclude each other" in capsys.readouterr().err


@pytest.mark.skipif("FTLAB_SLURM" not in os.environ, reason="no SLURM was set up; ./ftlab test --slurm does it")
def test_slurm_gives_the_same_table(sweep: Path, tmp_path: Path) -> None:
    out = tmp_path / "slurm"
    assert main(["sweep", str(sweep), "--out", str(out), "--cluster", "slurm", "--workers", "2", "-q"]) == 0
    assert (out / "table.parquet").read_bytes() == _local(sweep, tmp_path / "here")
