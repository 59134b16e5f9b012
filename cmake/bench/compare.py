#!/usr/bin/env python3
"""Runs a benchmark, compares its counters with a saved run, and shows where the time goes.

    compare.py build/bench/platform/bench/array_bench platform/bench/array/baseline.json

Host writes and flash programs are per second of processor time; bytes are of memory per page of the array. Compare runs
of one machine alone: --save keeps this run as the baseline. The profile needs Linux perf, and says so without it.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

COUNTERS = {
    "host_writes_per_cpu_s": ("host writes / CPU s", 1e6, "M"),
    "programs_per_cpu_s": ("flash programs / CPU s", 1e6, "M"),
    "bytes_per_page": ("bytes / page", 1.0, ""),
}


def short_name(name: str) -> str:
    """The case without what Google Benchmark says of how it was run."""
    return "/".join(part for part in name.split("/") if not part.startswith(("iterations:", "manual_time", "real_time")))


def counters_of(document: dict) -> dict[str, dict[str, float]]:
    """Of each case the counters that are compared; of repetitions the best."""
    cases: dict[str, dict[str, float]] = {}
    for run in document["benchmarks"]:
        if run.get("run_type", "iteration") != "iteration":
            continue
        found = {name: float(run[name]) for name in COUNTERS if name in run}
        case = cases.setdefault(short_name(run["name"]), found)
        if found.get("host_writes_per_cpu_s", 0) > case.get("host_writes_per_cpu_s", 0):
            case.update(found)
    return cases


def table(now: dict[str, dict[str, float]], before: dict[str, dict[str, float]]) -> str:
    """One line a case: each counter with its ratio to the saved run, where that has the case."""
    rows = [["case", *(title for title, _, _ in COUNTERS.values())]]
    for case, counters in now.items():
        row = [case]
        for name, (_, scale, unit) in COUNTERS.items():
            if name not in counters:
                row.append("-")
                continue
            text = f"{counters[name] / scale:.2f}{unit}"
            if saved := before.get(case, {}).get(name):
                text += f"  x {counters[name] / saved:.2f}"
            row.append(text)
        rows.append(row)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def run(bench: Path, pattern: str, repetitions: int, large: bool) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run.json"
        subprocess.run(
            [bench, f"--benchmark_filter={pattern}", f"--benchmark_repetitions={repetitions}", f"--benchmark_out={out}",
             "--benchmark_out_format=json", *(["--large"] if large else [])],
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
        return json.loads(out.read_text())


def profile(bench: Path, case: str, lines: int) -> str:
    """The functions that take most of the time of one case."""
    if shutil.which("perf") is None:
        return "no profile: perf is not installed (Debian package linux-perf)"
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "perf.data"
        recorded = subprocess.run(
            ["perf", "record", "-q", "-F", "999", "-o", data, bench, f"--benchmark_filter=^{case}/"],
            capture_output=True, text=True,
        )  # fmt: skip
        if recorded.returncode != 0:
            return "no profile: " + (recorded.stderr.strip().splitlines() or ["perf failed"])[0]
        report = subprocess.run(
            ["perf", "report", "-i", data, "--stdio", "-g", "none", "--no-children", "--percent-limit", "1", "-F",
             "overhead,sym"],
            capture_output=True, text=True,
        )  # fmt: skip
    found = [line.strip() for line in report.stdout.splitlines() if line.strip() and not line.startswith("#")]
    return f"where {case} spends its time:\n" + "\n".join("  " + line for line in found[:lines])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=Path, help="a Google Benchmark program")
    parser.add_argument("baseline", type=Path, help="the saved run")
    parser.add_argument("--filter", default="/1000128", help="cases to run, as a regular expression")
    parser.add_argument("--large", action="store_true", help="also the cases that take minutes (--filter must name them)")
    parser.add_argument("--repetitions", type=int, default=3, help="runs of each case; the best counts")
    parser.add_argument("--save", action="store_true", help="keep this run as the baseline")
    parser.add_argument("--profile", default="firmware/bursts/1000128", help="case to profile; empty: none")
    wanted = parser.parse_args()
    if not wanted.bench.exists():
        target = wanted.bench.name
        parser.error(f"no program {wanted.bench}; build it with cmake --build --preset bench --target {target}")
    saved = json.loads(wanted.baseline.read_text()) if wanted.baseline.exists() else {"cases": {}}
    now = counters_of(run(wanted.bench, wanted.filter, wanted.repetitions, wanted.large))
    if not now:
        parser.error(f"no case matches {wanted.filter!r}")
    if saved["cases"]:
        print(f"x: ratio to {wanted.baseline} ({saved['machine']})")
    print(table(now, saved["cases"]))
    if wanted.profile:
        print("\n" + profile(wanted.bench, wanted.profile, 16))
    if wanted.save:
        machine = subprocess.run(["lscpu"], capture_output=True, text=True).stdout
        model = next((line.split(":")[1].strip() for line in machine.splitlines() if line.startswith("Model name")), "")
        wanted.baseline.write_text(json.dumps({"machine": model, "cases": saved["cases"] | now}, indent=1) + "\n")
        print(f"\nsaved to {wanted.baseline}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
