#!/usr/bin/env python3
"""Host writes a second of processor time of whole runs, over those of a program that only counts pages.

Usage: beside_counting.py FTLAB COUNTING_REFERENCE [--segments N] [--runs N] [--set KEY=VALUE]...
Both write pages of 2 KiB uniformly at random to the same drive at rest: greedy, S_f 0.07, 64 pages a segment, so many
segments the host's. A run is the difference of two lengths, so that start, fill and warm-up are not in it. They run in
turn; of the ratios of the pairs the median and the range are printed. Judges nothing: time is the machine's. Standard
library only.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

_PAGES = 64
_HOST_SHARE = 0.93  # of all segments but those that the reference keeps free
_SHORT, _LONG = 1, 4  # overwrites


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _ftlab_rate(ftlab: str, segments: int, settings: list[str]) -> tuple[float, float]:
    """Host writes a second of processor time, and the write amplification."""
    spent: list[float] = []
    written: list[float] = []
    amplification = 0.0
    with tempfile.TemporaryDirectory(prefix="ftlab-speed-") as folder:
        study = Path(folder) / "study.toml"
        all_segments = int(segments / _HOST_SHARE)
        study.write_text(
            f'part = "array-slc"\nftl.firmware = "page"\nftl.utilization = {_HOST_SHARE}\n'
            f"part_overrides = {{ segments = {all_segments}, pages_per_segment = {_PAGES}, channels = 1, "
            f'dies_per_channel = 1, content = "none" }}\n'
            'workload = { kind = "uniform", queue_depth = 32, warm_up_overwrites = 1 }\n'
        )
        for overwrites in (_SHORT, _LONG):
            of_this_run = [f"workload.overwrites={overwrites}", *settings]
            before = _cpu_s()
            subprocess.run(
                [ftlab, "run", str(study), "--quiet", "--out", f"{folder}/out", *(f"--set={s}" for s in of_this_run)],
                check=True,
            )
            spent.append(_cpu_s() - before)
            result = json.loads((Path(folder) / "out" / "result.json").read_text())
            written.append(float(result["host"]["pages_written"]))
            amplification = float(result["write_amplification"])
    return (written[1] - written[0]) / (spent[1] - spent[0]), amplification


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ftlab")
    parser.add_argument("reference")
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--segments", type=int, default=15625)
    parser.add_argument("--runs", type=int, default=1)
    options = parser.parse_args()
    ratios: list[float] = []
    for _ in range(options.runs):
        command = [options.reference, str(options.segments), "3"]
        counted = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
        reference = float(counted["host_writes_per_cpu_s"])
        rate, amplification = _ftlab_rate(options.ftlab, options.segments, options.settings)
        ratios.append(rate / reference)
        print(
            f"{options.segments * _PAGES / 1e6:.1f} million pages: {rate / 1e6:.2f} million host writes a CPU second, the "
            f"program that only counts {reference / 1e6:.2f}; write amplification {amplification:.3f} and "
            f"{counted['write_amplification']:.3f}"
        )
    print(f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
