#!/usr/bin/env python3
"""Runs the fuzz targets, and says in one line a target what came of it.

Usage: run.py FAST-TREE CHECKED-TREE SECONDS|short[=SEED] [TARGET...]

FAST-TREE holds the programs without sanitizers, where the executions are made; whatever reaches something new is then
run by those of CHECKED-TREE, under address and undefined-behaviour sanitizers. Without FAST-TREE (given as -) all is
done by the latter. Short runs with the same SEED, 1 unless given, make the same executions. What a run adds to a corpus stays in CHECKED-TREE/corpus/TARGET, for the next run to go on with;
inputs that break a rule, crash, hang or take too much memory are in CHECKED-TREE/findings/TARGET. Exit status 1 when
there is one. Standard library only.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
TIMEOUT_S = 10
MEMORY_MB = 2048
SHORT = "short"
SHORT_EXECUTIONS = 4_000
MOST_BYTES = {
    "study": 2048,
    "part": 512,
    "host": 1024,
    "scenario": 1024,
    "trace": 2048,
    # More of them than of other layers' are the configuration.
    "page_nand_api": 128,
    "page_nor_api": 128,
    "page_slc_nand_api": 128,
}
# Some 30 calls of a layer; longer inputs cost speed and found nothing more.
MOST_BYTES_OF_CALLS = 96
DICTIONARIES = {"study": "toml", "part": "toml", "host": "toml", "scenario": "toml", "trace": "trace"}
ENVIRONMENT = {
    "ASAN_OPTIONS": "detect_stack_use_after_return=0:strict_string_checks=1",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}


def most_bytes(target: str) -> int:
    return MOST_BYTES.get(target, MOST_BYTES_OF_CALLS if target.endswith("_api") else 256)


class Report:
    def __init__(self, target: str) -> None:
        self.target = target
        self.executions = 0
        self.cpu_s = 0.0
        self.new = 0
        self.output = ""

    def add(self, output: str, cpu_s: float) -> None:
        self.output += output
        found = re.search(r"stat::number_of_executed_units:\s*(\d+)", output)
        self.executions += int(found.group(1)) if found else 0
        self.cpu_s += cpu_s


def options(target: str, findings: Path) -> list[str]:
    given = [
        "-entropic=0",
        "-print_final_stats=1",
        f"-timeout={TIMEOUT_S}",
        f"-rss_limit_mb={MEMORY_MB}",
        f"-max_len={most_bytes(target)}",
        f"-artifact_prefix={findings}/",
    ]
    if target in DICTIONARIES:
        given.append(f"-dict={HERE}/dictionaries/{DICTIONARIES[target]}.dict")
    return given


def run(command: list[str], log: Path, report: Report) -> bool:
    """Runs one program; its processor time and its statistics go to the report."""
    with log.open("ab") as out:
        start = out.tell()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, **ENVIRONMENT}
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    with log.open("rb") as written:
        written.seek(start)
        report.add(written.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime)
    return process.returncode == 0


def limits(wanted: str) -> list[str] | None:
    """libFuzzer's options for a time in seconds or a short run; None: it is neither."""
    kind, _, seed = wanted.partition("=")
    if kind == SHORT and re.fullmatch(r"|[1-9][0-9]{0,8}", seed):
        return [f"-runs={SHORT_EXECUTIONS}", f"-seed={seed or 1}"]
    try:
        seconds = float(wanted)
    except ValueError:
        return None
    return [f"-max_total_time={max(1, round(seconds))}"] if seconds > 0 else None


def fuzz(target: str, fast: Path | None, checked: Path, limit: list[str]) -> tuple[Report, list[Path]]:
    committed = HERE / "corpus" / target
    corpus = checked / "corpus" / target
    if any(option.startswith("-seed=") for option in limit):  # a short run begins with the committed inputs alone
        corpus = checked / "short" / target
        shutil.rmtree(corpus, ignore_errors=True)
    findings = checked / "findings" / target
    log = checked / "logs" / f"{target}.log"
    for folder in (corpus, findings, log.parent):
        folder.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    before = {path.name for path in corpus.iterdir()}
    known = {path.name for path in findings.iterdir()}
    report = Report(target)
    program = f"fuzzers/fuzz_{target}"
    given = options(target, findings)
    inputs = [str(folder) for folder in (corpus, committed) if folder.is_dir()]
    fine = run([str((fast or checked) / program), *given, *limit, *inputs], log, report)
    if fast is not None:
        check = Report(target)
        fine = run([str(checked / program), *given, "-runs=0", *inputs], log, check) and fine
        report.output += check.output
    report.new = len({path.name for path in corpus.iterdir()} - before)
    found = sorted(path for path in findings.iterdir() if path.name not in known)
    if not fine and not found:
        found = [log]
    return report, found


def show(report: Report, found: list[Path]) -> None:
    rate = report.executions / report.cpu_s if report.cpu_s else 0
    state = f"{len(found)} FOUND" if found else "ok"
    print(
        f"{report.target:15} {report.executions:>11,} executions {rate:>8,.0f} a CPU second {report.new:>6,} new  {state}",
        flush=True,
    )
    for path in found:
        print(f"  {path}")
    if found:
        telling = re.compile(r"^(broken:|emulated |SUMMARY:|.*runtime error:|.*Assertion )")
        lines = [line for line in report.output.splitlines() if telling.match(line)]
        for line in lines[:6]:
            print(f"  {line}")


def main(arguments: list[str]) -> int:
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    fast = None if arguments[0] == "-" else Path(arguments[0])
    checked = Path(arguments[1])
    limit = limits(arguments[2])
    targets = sorted(path.name.removeprefix("fuzz_") for path in (checked / "fuzzers").glob("fuzz_*"))
    wanted = arguments[3:] or targets
    if limit is None or not set(wanted) <= set(targets):
        print(
            f"seconds are a number above 0 or '{SHORT}' or '{SHORT}=SEED', targets are: {' '.join(targets)}",
            file=sys.stderr,
        )
        return 2
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    broken = False
    executions = 0
    # One target at a time on each core; a target alone has one core.
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        for report, found in pool.map(lambda target: fuzz(target, fast, checked, limit), wanted):
            show(report, found)
            broken = broken or bool(found)
            executions += report.executions
    print(f"{executions:,} executions, {'findings' if broken else 'no findings'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
