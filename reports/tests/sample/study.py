"""Three policies at two voltages."""

from __future__ import annotations

from sample.result import POLICIES, Json, Policy, result


def _energy_row(policy: Policy, supply_v: float) -> Json:
    energy = result(policy, supply_v)["energy"]
    idle = {"standby": energy["by_state_j"]["standby"]}
    return {
        "label": policy.label,
        "supply_v": supply_v,
        "total_j": energy["total_j"] / 192,
        "by_cause_j": {key: value / 192 for key, value in (energy["by_cause_j"] | idle).items()},
        "by_operation_j": {key: value / 192 for key, value in (energy["by_operation_j"] | idle).items()},
    }


def study() -> Json:
    rows = [_energy_row(policy, supply_v) for supply_v in (5.0, 3.3) for policy in POLICIES]
    capacity_j = 2 * 2.0 * 1.5 * 3600
    return {
        "schema": "ftlab-study",
        "version": 1,
        "title": "Three cleaning policies on a 24 MB flash card",
        "summary": "Does it pay to look at age and hotness when cleaning? CAT with fine-grained separation erases less "
        "than half as often as greedy cleaning, on the same card and the same requests.",
        "notes": [
            {
                "level": "warning",
                "text": "The HP trace is not here; a generated workload of the same locality stands in. "
                "The trace can be had at https://example.org/traces/hplajw; pass it with --trace FILE.",
            }
        ],
        "runs": [
            {"label": policy.label, "result": f"runs/{index}/result.json"} for index, policy in enumerate(POLICIES)
        ],
        "energy_per_mib": rows,
        "battery": {
            "description": "Two AA cells feed nothing but the card.",
            "capacity_j": capacity_j,
            "source": "2.0 Ah at 1.5 V each",
            "estimate": True,
            "rows": [
                {
                    "label": row["label"],
                    "supply_v": row["supply_v"],
                    "j_per_host_mib": row["total_j"],
                    "mib_per_charge": capacity_j / row["total_j"],
                    "hours_per_charge": capacity_j / row["total_j"] / 90,
                }
                for row in rows
            ],
        },
    }
