"""What a measured run says about energy: joules for each MiB written, and what a battery would last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Json = dict[str, Any]
_MIB = 1024.0 * 1024.0
_JOULES_PER_WH = 3600.0


def _states(energy: Json) -> dict[str, float]:
    """What is drawn without an operation."""
    return {state: float(joules) for state, joules in energy["by_state_j"].items() if state != "active"}


def _mib_written(result: Json) -> float:
    return float(result["host"]["bytes_written"]) / _MIB


def energy_per_mib(label: str, result: Json) -> Json:
    """An entry of energy_per_mib of study.json: J for each MiB that the host wrote, by cause and by operation.

    Each sums to the total with the energies of the states.
    """
    energy = result["energy"]
    mib = _mib_written(result)
    factor = 1 / mib if mib > 0 else 0.0
    states = {state: joules * factor for state, joules in _states(energy).items()}
    return {
        "label": label,
        "supply_v": result["device"]["supply_v"],
        "total_j": energy["total_j"] * factor,
        "by_cause_j": {cause: joules * factor for cause, joules in energy["by_cause_j"].items()} | states,
        "by_operation_j": {name: joules * factor for name, joules in energy["by_operation_j"].items()} | states,
    }


def battery_row(label: str, result: Json) -> Json:
    """How much a full battery writes, and how long it lasts at the rate of [power] in the run's configuration."""
    power, energy = result["config"]["power"], result["energy"]
    capacity_j = power["battery_wh"] * _JOULES_PER_WH
    mib = _mib_written(result)
    per_mib = energy["total_j"] / mib if mib > 0 else 0.0
    # Writing costs its operations; standing by costs the state power all the time, at whatever rate is written.
    active_per_mib = energy["by_state_j"]["active"] / mib if mib > 0 else 0.0
    state_w = sum(_states(energy).values()) / result["time"]["simulated_s"]
    watts = power["system_w"] + state_w + power["write_mib_per_hour"] / 3600 * active_per_mib
    return {
        "label": label,
        "supply_v": result["device"]["supply_v"],
        "j_per_host_mib": per_mib,
        "mib_per_charge": capacity_j / per_mib if per_mib > 0 else None,
        "hours_per_charge": capacity_j / watts / 3600 if watts > 0 else None,
    }


def battery_section(result: Json, rows: Sequence[Json]) -> Json:
    """The battery of study.json; capacity and rate from the configuration of `result`."""
    power = result["config"]["power"]
    load = f" and {power['system_w']:g} W of other load" if power["system_w"] > 0 else " alone"
    return {
        "description": (
            f"A battery of {power['battery_wh']:g} Wh that feeds the card{load}. What one charge writes is written "
            f"without a pause; the hours hold for {power['write_mib_per_hour']:g} MiB written per hour, the card in "
            "standby between writes."
        ),
        "capacity_j": power["battery_wh"] * _JOULES_PER_WH,
        "source": "keys power.battery_wh, power.system_w, power.write_mib_per_hour",
        "estimate": True,
        "rows": list(rows),
    }
