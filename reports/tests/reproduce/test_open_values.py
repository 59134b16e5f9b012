"""Which values a paper leaves open, and what 20 % less and more of them are."""

from __future__ import annotations

import pytest

from ftlab.program import answer
from ftlab.reproduce.library import experiment_named, names
from ftlab.reproduce.open_values import _scaled, inputs_of, open_values
from ftlab.reproduce.rows import points_of
from ftlab.reproduce.sensitivity import _wanted
from ftlab.reproduce.spec import OpenValue
from ftlab.runs import setting
from program import needs_program

pytestmark = needs_program


def _values(name: str) -> dict[str, OpenValue]:
    return {value.name: value for value in open_values(experiment_named(name))}


def _texts(value: OpenValue) -> list[str]:
    return [variant.text for variant in value.variants]


def test_every_key_marked_as_not_published_is_varied() -> None:
    experiment = experiment_named("flexfs-fig10")
    rows = inputs_of(experiment.settings(experiment.rows()[0]))
    marked = {row["key"] for row in rows if row["of"] == "study" and "unpublished" in row["mark"]}
    assert {key for key in marked if key.startswith("flexfs.")} <= set(_values("flexfs-fig10"))


def test_whole_numbers_are_rounded_away_and_kept_in_their_range() -> None:
    values = _values("flexfs-fig10")
    assert values["flexfs.recent_weight"].used == "2"
    assert _texts(values["flexfs.recent_weight"]) == ["1", "3"]
    assert _texts(values["flexfs.hot_files"]) == ["51 files", "77 files"]
    assert _texts(values["flexfs.cleaning_free"]) == ["4 segments"], "3 is the least allowed"


def test_switches_and_names_take_every_other_choice() -> None:
    values = _values("flexfs-fig10")
    assert _texts(values["flexfs.idle_beyond_wait"]) == ["false"]
    assert values["flexfs.free_choice"].used == "fewest_erases"
    assert _texts(values["flexfs.free_choice"]) == ["fifo"]


def test_judged_and_fitted_numbers_of_host_and_part_keep_their_units() -> None:
    values = _values("flexfs-energy")
    assert _texts(values["host work.page_write"]) == ["704 us", "1056 us"]
    assert _texts(values["part power.icc_program"]) == ["20 mA", "30 mA"]
    assert "part power.vcc" not in values, "published"


def test_numbers_of_one_name_in_several_tables_change_together() -> None:
    writes = _values("flexfs-table6")["scenario writes"]
    assert writes.used == "as given"
    assert _texts(writes) == ["-20 %", "+20 %"]
    assert len(writes.variants[0].settings) == 4, "four programs"
    assert writes.variants[0].settings["scenario_overrides.interactive.sms.writes"] == "5120 1"


def test_judged_numbers_of_a_scenario_stand_alone() -> None:
    values = _values("flexfs-table6")
    assert _texts(values["scenario downloads.mp3.period"]) == ["12 s", "18 s"]
    assert _texts(values["scenario period"]) == ["160 s", "240 s"], "the camera's, which is free"


def test_sizes_of_several_pages_stay_whole_pages() -> None:
    assert _scaled(1.0, "MiB", 0.8) == 0.80078125, "205 of 256 pages"
    assert _scaled(4096.0, "B", 0.8) == 3277, "of one page, whole bytes"
    assert _scaled(880.0, "us", 0.8) == 704.0


def _accepted(settings: dict[str, object]) -> None:
    """The program resolves the study and checks part, host and scenario."""
    answer("inputs", *(word for key, value in settings.items() for word in ("--set", setting(key, value))))


@pytest.mark.shared
def test_every_variant_is_a_study() -> None:
    accepted: set[str] = set()
    for name in names():
        experiment = experiment_named(name)
        if experiment.missing():
            continue
        values = open_values(experiment)
        assert len({value.name for value in values}) == len(values), name
        if not experiment.vary:
            continue
        base = experiment.settings(experiment.rows(experiment.vary.at)[0])
        for value in values:
            for variant in value.variants:
                settings = base | variant.settings
                # Figures of one paper share studies.
                if repr(settings) not in accepted:
                    _accepted(settings)
                    accepted.add(repr(settings))


def test_of_the_fms_papers_whose_runs_are_long_a_few_are_repeated_for_each_value() -> None:
    for name in names():
        experiment = experiment_named(name)
        if experiment.paper == "fms" and experiment.vary:
            assert len(points_of(experiment, _wanted(experiment))) <= 4, name
