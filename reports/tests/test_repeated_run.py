"""A run of a result is the run that made it. Needs the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from ftlab.program import simulate
from program import needs_program

_STUDIES = {
    "nor": 'part = "series2plus-4mb"\n[workload]\ntotal_mib = 2\n',
    "profile": 'part = "series2plus-8mb"\nvoltage = "3.3V"\nseed = 5\n[workload]\nkind = "hot_cold"\ntotal_mib = 2\n',
    "scenario": 'part = "flexonenand-4gb"\n[ftl]\nfirmware = "flexfs"\n[workload]\nkind = "scenario"\nscenario = "flexfs-idle"\n',
    "flexonenand": 'part = "flexonenand-4gb"\n[ftl]\nfirmware = "flexfs"\n[workload]\ntotal_mib = 4\nfill = false\n',
    # The page is the part's, the request is the study's: a model covers the run.
    "array": """part = "array-slc"
part_overrides = { channels = 8, dies_per_channel = 4, segments = 1024, timing.erase = "1 ms" }
ftl = { firmware = "page" }
workload = { kind = "uniform", overwrites = 0.2, request_bytes = 2048, queue_depth = 8 }
""",
    "latencies": 'part = "series2plus-4mb"\n[workload]\ntotal_mib = 2\nread_share = 0.5\narrival = "poisson"\n',
}


def _all_but_run(folder: Path) -> tuple[str, str]:
    before, run = (folder / "result.json").read_text().split('\n  "run": {')
    return before, run.split("\n  }")[1]


@needs_program
@pytest.mark.parametrize("name", _STUDIES)
def test_repeated_run_is_the_first_byte_for_byte_but_for_its_section_run(tmp_path: Path, name: str) -> None:
    study = tmp_path / "study.toml"
    study.write_text(_STUDIES[name])
    simulate(study, [], tmp_path / "first")
    study.unlink()
    simulate(tmp_path / "first" / "result.json", [], tmp_path / "second")
    assert _all_but_run(tmp_path / "second") == _all_but_run(tmp_path / "first")
    assert _all_but_run(tmp_path / "first")[1] == "\n}\n"
