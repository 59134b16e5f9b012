"""Costs of work on a core: whose cycles they are, and how kinds of work are told apart."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from ftlab.progress import ProgressLine
from ftlab.reproduce import bank
from ftlab.reproduce.derivations import costs
from ftlab.reproduce.library import experiment_named
from program import needs_program

WORK = ("request", "page_write", "page_read", "page_copy", "segment_clean", "segment_compare", "segment_score",
        "page_rate", "driver_call", "buffer_program", "header_scan", "checksum_byte")  # fmt: skip


def core(profile: str) -> costs.Run:
    return {"profile": profile}


def native(programs: int = 0, **counts: int) -> costs.Run:
    work = {kind: {"count": counts.get(kind, 0), "time_s": 0.0} for kind in WORK}
    flash = {"programs": programs, "erases": 0, "reads": 0, "bytes_programmed": 4096 * programs, "bytes_read": 0}
    return {"flash": flash, "firmware": {"work": work}}


def test_a_cycle_belongs_to_the_innermost_group_of_its_path_else_to_its_cause() -> None:
    groups = costs.executed_by_group(
        "host;main;ftlab::serve 1\n"
        "host;main;ftlab::PairProgram::program 2\n"
        "host;main;ftlab::PairProgram::program;memcpy 4\n"
        "host;main;ftlab::PairProgram::program;ftlab::target::PointerPort::copy_to 8\n"
        "host;main;ftlab::PairProgram::program;ftlab::target::PointerPort::copy_to;[bus] 16\n"
        "clean;main;ftlab::volume::Cleaning::clean_one 32\n"
        "clean;main;ftlab::volume::LogPolicies::pick_victim;ftlab::fms::select::Cat::pick 64\n"
        "host;main;ftlab::target::PointerPort::wait_until;tick 128\n"
        "host;main;[asleep] 256\n"
        "idle;main 512\n"
        "mount;main;ftlab::volume::Mount::read_all;ftlab::paged::check_of;ftlab::crc32c 1024\n"
        "mount;main;ftlab::PagedFlash::decode_beside;ftlab::crc32c;tick 2048\n"
        "host;main;ftlab::PagedFlash::encode_beside;ftlab::crc32c 4096\n"
        "host;main;ftlab::paged::check_of;ftlab::crc32c 8192\n"
        "host;ftlab::crc32c 16384\n"
    )
    assert groups == {
        "requests": 1 + 8192 + 16384, "buffer": 6, "transfer": 8, "cleaning": 32, "selection": 64, "wait": 128,
        "other": 512, "mounts": 1024, "checksum": 2048 + 4096,
    }  # fmt: skip


def test_loads_with_other_shares_tell_kinds_of_work_apart() -> None:
    counts = [(100, 100, 0), (25, 100, 0), (100, 30, 70), (25, 40, 60)]
    natives = [native(request=r, page_write=w, page_read=p) for r, w, p in counts]
    cores = [core(f"host;main {2000 * r + 7000 * w + 5000 * p}") for r, w, p in counts]
    found = [costs.core_cost(cores, natives, kind) for kind in ("request", "page_write", "page_read")]
    assert found == pytest.approx([2000, 7000, 5000])
    assert costs.core_cost_misses(cores, natives, "page_read") == pytest.approx(0)


def test_what_the_costs_miss_is_said() -> None:
    natives = [native(driver_call=10), native(driver_call=10)]
    cores = [core(f"host;ftlab::OneNandDriver::submit {cycles}") for cycles in (900, 1100)]
    assert costs.core_cost(cores, natives, "driver_call") == pytest.approx(100)
    assert costs.core_cost_misses(cores, natives, "driver_call") == pytest.approx(0.1)


def test_words_are_those_of_the_parts_bytes() -> None:
    cores = [core("clean;ftlab::target::PointerPort::copy_from 40960")]
    assert costs.core_cost(cores, [native(programs=2)], "word") == pytest.approx(10)


@pytest.mark.parametrize(
    ("natives", "kind", "said"),
    [
        ([native(request=1, page_write=2), native(request=2, page_write=4)], "request", "do not tell the kinds of work apart"),
        ([native(), native()], "page_read", "no run counts a page_read"),
        ([native(driver_call=1), native(driver_call=2)], "driver_call", "functions of the group driver; are they named otherwise"),
        ([native(), native()], "page_wirte", "page_wirte is none of "),
    ],
)  # fmt: skip
def test_what_cannot_be_found_is_no_number(natives: list[costs.Run], kind: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        costs.core_cost([core("host;main 5"), core("host;main 9")], natives, kind)


def test_shares_are_of_what_the_core_executes() -> None:
    run = core("host;main 30\nhost;main;[asleep] 900\nidle;main 10")
    assert costs.executed_share(run, "other") == 0.25
    with pytest.raises(ValueError, match="others is no group"):
        costs.executed_share(run, "others")


def test_runs_on_a_core_are_profiled_and_native_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def simulate(_study: Path, settings: Sequence[str], out: Path, more: Sequence[str]) -> list[str]:
        on_core = 'platform.processor="arm"' in settings
        assert bool(more) == on_core
        if on_core:
            assert more[0] == "--profile"
            Path(more[1]).write_text("host;main 7\n")
        out.mkdir()
        (out / "result.json").write_text(json.dumps({"run": {"study": "x", "profile": "y"}}))
        return []

    monkeypatch.setattr(bank, "simulate", simulate)
    requests = [bank.request("x", "run", {"platform.processor": core}, 1, profile=True) for core in ("native", "arm")]
    with ProgressLine("x", "runs", quiet=True) as progress:
        documents = bank.Bank(1, progress).results(requests)
    assert documents == [{"run": {}}, {"run": {}, "profile": "host;main 7\n"}]


@needs_program
def test_hosts_have_a_cost_for_all_work_that_the_experiment_lists() -> None:
    experiment = experiment_named("core-costs")
    kinds = [value.name for axis in experiment.axes if axis.name == "work" for value in axis.values]
    assert set(kinds) == {kind for group in costs.GROUPS for kind in group.kinds}
    for kind in kinds:
        if kind != "word":
            assert costs.host_cost_us("pentium-133", kind) > 0
    assert costs.host_cost_us("pentium-133", "wait_read") == 40
