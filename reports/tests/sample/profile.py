"""A run on a simulated core with its profile. Invented numbers; only the format is real."""

from __future__ import annotations

import json
from pathlib import Path

from sample.result import Json, result

FOLDED = """\
host;reset;serve 1000
host;reset;serve;[asleep] 8000
host;reset;serve;ftlab::write 400
host;reset;serve;ftlab::write;copy 300
host;reset;serve;ftlab::write;copy;[bus] 200
clean;reset;serve;ftlab::write;clean;ftlab::write 60
clean;reset;serve;ftlab::write;clean;ftlab::write;copy;[bus] 40
"""


def core_result() -> Json:
    document = result()
    document["processor"] = {
        "instructions": 1500,
        "cycles": 10_000,
        "bus_cycles": 240,
        "asleep_cycles": 8000,
        "flash_misses": 40,
        "interrupts": 7,
        "cycles_per_request": 200.0,
        "awake_cycles_by_cause": {"host": 1900, "clean": 100, "migrate": 0},
        "energy_j": 0.003,
        "energy_by_state_j": {"active": 0.002, "asleep": 0.001},
    }
    return document


def write_profiled(directory: Path) -> Path:
    """A folder with the result and, beside it, the profile that it names."""
    document = core_result()
    document["run"]["profile"] = "cycles.folded"
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "result.json").write_text(json.dumps(document), encoding="utf-8")
    (directory / "cycles.folded").write_text(FOLDED, encoding="utf-8")
    return directory
