"""Profiles as they are read: plain and packed, damaged, of another run."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import sample
from ftlab.errors import InputError
from ftlab.json_node import read_json
from ftlab.profile.folded import Stack, parse_profile, read_profile
from ftlab.profile.of_result import profile_of


def test_a_line_is_a_cause_its_calls_a_state_and_cycles() -> None:
    lines = ["host;main 3", "idle;main;[asleep] 5", "clean;main;operator new;[bus] 7"]
    assert parse_profile(lines, "x").stacks == (
        Stack("host", ("main",), "", 3),
        Stack("idle", ("main",), "[asleep]", 5),
        Stack("clean", ("main", "operator new"), "[bus]", 7),
    )


@pytest.mark.parametrize("line", ["host;main", "12", " 12", "host;main twelve", "host;main -3", ""])
def test_what_is_no_line_of_a_profile_is_named_with_its_number(line: str) -> None:
    with pytest.raises(InputError, match=r"^cycles:2: is no stack"):
        parse_profile(["host;main 3", line], "cycles")


def test_a_packed_profile_reads_the_same(tmp_path: Path) -> None:
    folder = sample.write_profiled(tmp_path)
    packed = tmp_path / "cycles.folded.gz"
    packed.write_bytes(gzip.compress((folder / "cycles.folded").read_bytes()))
    assert read_profile(packed) == read_profile(folder / "cycles.folded")


@pytest.mark.parametrize("data", [b"", b"\xff\xfe 1\n", b"\x1f\x8b\x08"])
def test_a_damaged_profile_is_refused_by_name(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "cycles.folded"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"cycles\.folded: .*give a file that `ftlab run --profile` wrote"):
        read_profile(path)


def test_a_result_has_the_profile_that_it_names_and_no_other(tmp_path: Path) -> None:
    folder = sample.write_profiled(tmp_path)
    profile, lack = profile_of(read_json(folder / "result.json"))
    assert profile is not None
    assert (profile.cycles(), lack) == (10_000, "")
    (folder / "cycles.folded").write_text("host;main 9999\n")
    assert profile_of(read_json(folder / "result.json")) == (
        None,
        f"{folder}/cycles.folded is the profile of another run: it holds 9999 cycles, the result 10000",
    )
    (folder / "cycles.folded").unlink()
    assert profile_of(read_json(folder / "result.json")) == (None, f"its profile is gone: {folder}/cycles.folded")
    document = sample.core_result()
    (folder / "result.json").write_text(json.dumps(document))
    assert profile_of(read_json(folder / "result.json")) == (None, "")
