"""`ftlab policies --on-parts`: each piece on each part, with figures or the program's reason."""

from __future__ import annotations

import pytest

from ftlab import on_parts
from ftlab.errors import InputError
from ftlab.program import listing
from program import needs_program


@needs_program
def test_every_policy_that_is_listed_is_a_piece_of_its_firmware() -> None:
    pieces = list(on_parts.pieces())
    assert {(key, name) for key, name, _ in pieces} == {(row["key"], row["name"]) for row in listing("policies")}
    assert len(set(pieces)) == len(pieces)
    assert {firmware for _, _, firmware in pieces} == {"fms", "page", "flexfs"}
    assert {firmware for key, name, firmware in pieces if (key, name) == ("ftl.selection", "cat")} == {"fms", "page"}
    assert {firmware for key, name, firmware in pieces if (key, name) == ("ftl.trigger", "watermark")} == {"fms"}
    assert ("ftl.separation", "sepbit", "page") in pieces


def test_pieces_that_work_together_only_are_together() -> None:
    settings = on_parts.settings_of("ftl.redistribution", "locality_preservation", "fms")
    assert settings["ftl.trigger"] == "partition_full"
    assert settings["ftl.selection"] == "partition_fifo"
    assert settings["ftl.redistribution"] == "locality_preservation"
    assert on_parts.settings_of("ftl.pool_choice", "split", "page")["ftl.separation"] == "oracle"
    assert on_parts.settings_of("ftl.selection", "cat", "fms") == {"ftl.firmware": "fms", "ftl.selection": "cat"}


@needs_program
def test_the_papers_policies_have_figures_on_every_part_and_flexfs_says_why_it_has_not() -> None:
    wanted = [
        ("ftl.selection", "cat", "fms"),
        ("ftl.redistribution", "locality_gathering", "fms"),
        ("flexfs.scheme", "slc_only", "flexfs"),
    ]
    table = [dict(zip(on_parts.TITLES, row, strict=True)) for row in on_parts.rows(wanted, 2, quiet=True)]
    assert [(row["name"], row["part"]) for row in table] == [
        (name, part) for _, name, _ in wanted for part in on_parts.PARTS
    ]
    for row in table[:6]:
        assert row["why not"] == ""
        assert float(row["write amplification"]) > 1
        assert float(row["energy, mJ per MiB"]) > 0
        assert float(row["time, s"]) > 0
    works = [row["part"] for row in table[6:] if not row["why not"]]
    assert works == ["Flex-OneNAND"]
    assert table[8]["why not"].startswith("ftl.firmware: FlexFS moves one page after the other")


@needs_program
def test_a_window_holds_more_segments_than_the_oldest_on_every_part() -> None:
    pieces = [("ftl.selection", name, "page") for name in ("lru", "windowed_greedy")]
    table = on_parts.rows(pieces, 2, quiet=True)
    oldest, windowed = ([float(row[4]) for row in table if row[1] == name] for _, name, _ in pieces)
    assert len(oldest) == len(windowed) == len(on_parts.PARTS)
    assert all(one < other for one, other in zip(windowed, oldest, strict=True))


def test_a_word_that_no_policy_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_parts, "pieces", lambda: iter([("ftl.selection", "cat", "fms")]))
    with pytest.raises(InputError, match="dog: no policy has it"):
        on_parts.main(["dog"])
