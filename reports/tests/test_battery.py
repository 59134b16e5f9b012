"""What a measured run says about energy."""

from __future__ import annotations

from typing import Any

import pytest

from ftlab.battery import battery_row, battery_section, energy_per_mib


@pytest.fixture
def result() -> dict[str, Any]:
    """2 MiB written in 100 s: 20 J of operations, 10 J of standby."""
    return {
        "config": {"power": {"battery_wh": 1.0, "system_w": 0.4, "write_mib_per_hour": 36.0}},
        "device": {"supply_v": 5.0},
        "host": {"bytes_written": 2 * 1024 * 1024},
        "time": {"simulated_s": 100.0},
        "energy": {
            "total_j": 30.0,
            "by_state_j": {"active": 20.0, "standby": 10.0, "sleep": 0.0},
            "by_cause_j": {"host": 5.0, "clean": 15.0},
            "by_operation_j": {"erase": 12.0, "buffer_program": 8.0},
        },
    }


def test_energy_per_mib_sums_to_the_total_over_causes_and_operations(result: dict[str, Any]) -> None:
    row = energy_per_mib("CAT", result)
    assert row["total_j"] == 15
    assert sum(row["by_cause_j"].values()) == 15
    assert sum(row["by_operation_j"].values()) == 15


def test_all_states_of_a_drive_are_in_it(result: dict[str, Any]) -> None:
    result["energy"]["by_state_j"] |= {"standby": 4.0, "controller_idle": 5.0, "link": 1.0}
    row = energy_per_mib("CAT", result)
    assert row["by_cause_j"]["controller_idle"] == 2.5
    assert sum(row["by_cause_j"].values()) == 15
    assert battery_row("CAT", result)["hours_per_charge"] == pytest.approx(1 / 0.6)


def test_a_charge_lasts_as_the_rate_of_writing_and_the_rest_of_the_machine_allow(result: dict[str, Any]) -> None:
    row = battery_row("CAT", result)
    assert row["mib_per_charge"] == 3600 / 15
    # 0.4 W system + 0.1 W standby + 0.01 MiB/s * 10 J/MiB
    assert row["hours_per_charge"] == pytest.approx(1 / 0.6)


def test_nothing_written_has_no_figure_per_mib(result: dict[str, Any]) -> None:
    result["host"]["bytes_written"] = 0
    assert battery_row("idle", result)["mib_per_charge"] is None


def test_a_battery_says_what_else_it_feeds(result: dict[str, Any]) -> None:
    assert "and 0.4 W of other load" in battery_section(result, [])["description"]
    result["config"]["power"]["system_w"] = 0
    said = battery_section(result, [])["description"]
    assert "feeds the card alone" in said
    assert "What one charge writes is written without a pause" in said
