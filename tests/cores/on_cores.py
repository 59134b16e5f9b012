#!/usr/bin/env python3
"""The firmware's program on simulated cores: random studies beside native runs, and losses of power at random instants.

Usage: on_cores.py FTLAB STUDIES LOSSES [--operations N] [--seed N] [--only WORD] [--share FIRST/OF] [--cores arm,riscv]
           [--jobs N]
STUDIES of each firmware and part run natively and on each core: programs and erases of each die have to be equal, in
order, under the same causes, and at the end the whole volume is read and has to be what was written. With
--operations N each of them is as long as it takes for so many programs and erases, cleanings among them. LOSSES of
power come at random instants and behind random instructions of a run of each of them on each core, but for update in
place, which may lose data then. Prints every case that failed and exits 1. Needs the images of the firmware. Standard
library only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cases import CASES, Keys

_TIMEOUT_S = 900
# More of them in one run would leave too little work between two.
_LOSSES_A_RUN = 100
_SECTOR = 512
# How much a study writes.
_AMOUNTS = ("workload.total_mib", "workload.overwrites")
# Figures of a result, beside what the logs hold.
_EQUAL = (("flash", "erases"), ("flash", "pages_copied"), ("host", "requests"), ("host", "pages_read"))

T = TypeVar("T")


@dataclass
class Run:
    result: dict[str, object]
    changes: dict[str, tuple[int, str]]  # of each die: how many, and the digest of all in their order

    @property
    def operations(self) -> int:
        return sum(count for count, _ in self.changes.values())


@dataclass
class Shape:
    """What a study asks for: a trace of reads and writes, and everything read at the end."""

    hot: bool
    read_share: float
    seed: int

    def write(self, path: Path, requests: int, pages: int, page_bytes: int) -> None:
        dice = random.Random(self.seed)
        order = list(range(pages))
        dice.shuffle(order)
        sectors = page_bytes // _SECTOR
        with path.open("w") as file:
            for _ in range(requests):
                among = pages // 10 if self.hot and dice.random() < 0.9 else pages
                reads = int(dice.random() < self.read_share)
                file.write(f"0 0 {order[dice.randrange(among)] * sectors} {sectors} {reads}\n")
            file.writelines(f"0 0 {page * sectors} {sectors} 1\n" for page in range(pages))


class Failed(Exception):
    pass


def _number(result: dict[str, object], *path: str) -> float:
    at: object = result
    for name in path:
        assert isinstance(at, dict)
        at = at[name]
    return float(str(at))


def _changes(log: Path) -> dict[str, tuple[int, str]]:
    changes: dict[str, list[str]] = {}
    with log.open() as file:
        columns = file.readline().rstrip().split(",")
        phase, device, kind, *what = map(columns.index, ("phase", "device", "kind", "address", "bytes", "cause"))
        for line in file:
            row = line.rstrip().split(",")
            if row[phase] == "measure" and (row[kind] == "erase" or row[kind].endswith("_program")):
                changes.setdefault(row[device], []).append(",".join((row[kind], *(row[at] for at in what))))
    return {name: (len(rows), hashlib.sha256("\n".join(rows).encode()).hexdigest()) for name, rows in changes.items()}


def _shortened(keys: Keys, times: float) -> Keys:
    return {key: f"{float(keys[key]) / times:.3f}" for key in _AMOUNTS if key in keys}


@dataclass
class Laboratory:
    ftlab: str

    def run(self, keys: Keys, logs: bool) -> Run:
        with tempfile.TemporaryDirectory(prefix="ftlab-on-cores-") as folder:
            study, log = Path(folder) / "study.toml", Path(folder) / "ops.csv"
            study.write_text("")
            command = [
                self.ftlab,
                "run",
                str(study),
                "--out",
                str(Path(folder) / "out"),
                *(f"--set={key}={value}" for key, value in keys.items()),
            ]
            if logs:
                command += ["--log-ops", str(log)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
            if done.returncode != 0:
                why = (done.stderr.strip().splitlines() or ["no message"])[-1]
                raise Failed(f"exit status {done.returncode}: {why}\n  {' '.join(command)}")
            result = dict(json.loads((Path(folder) / "out" / "result.json").read_text()))
            if _number(result, "host", "wrong_reads") != 0:
                raise Failed(f"wrong reads\n  {' '.join(command)}")
            return Run(result, _changes(log) if logs else {})

    def study(self, keys: Keys, shape: Shape, cores: list[str], least: int) -> Run:
        """Gives the native run. `least`: so many programs and erases, cleanings among them."""
        small = self.run(keys | _shortened(keys, 50), False).result
        page, logical = (
            int(_number(small, *key)) for key in (("config", "workload", "request_bytes"), ("device", "logical_bytes"))
        )
        mib, overwrites = (float(keys.get(key, 0)) for key in _AMOUNTS)
        requests = int((mib * 2**20 + overwrites * logical) / page)
        with tempfile.TemporaryDirectory(prefix="ftlab-on-cores-") as folder:
            trace = Path(folder) / "trace"
            replayed = {key: value for key, value in keys.items() if key not in _AMOUNTS}
            replayed |= {
                "workload.kind": "trace",
                "workload.format": "disksim",
                "workload.address": "direct",
                "workload.path": str(trace),
            }
            while True:
                shape.write(trace, requests, logical // page, page)
                native = self.run(replayed, True)
                if native.operations >= least:
                    break
                requests = 1 + int(1.05 * requests * least / native.operations)
            if least > 0 and _number(native.result, "flash", "erases") == 0:
                raise Failed(f"nothing is cleaned\n  {keys}")
            for core in cores:
                run = self.run(replayed | {"platform.processor": core}, True)
                if run.changes != native.changes:
                    raise Failed(f"{core} does something else than the native run\n  {keys}")
                for figure in _EQUAL:
                    if _number(run.result, *figure) != _number(native.result, *figure):
                        raise Failed(f"{'.'.join(figure)} of {core} differ\n  {keys}")
            return native

    def losses(self, keys: Keys, core: str, losses: int, dice: random.Random) -> int:
        """Gives how many there were: those behind the end of a run come to nothing."""
        keys = keys | {"platform.processor": core, "workload.read_share": "0.3"}
        undisturbed = self.run(keys, False).result
        span, executed = (
            _number(undisturbed, *figure) for figure in (("time", "simulated_s"), ("processor", "instructions"))
        )
        at = sorted({round(dice.uniform(0, span), 9) for _ in range(losses // 2)})
        behind = sorted({dice.randint(1, int(executed)) for _ in range(losses - len(at))})
        plan = {"power.loss_at_s": json.dumps(at), "power.loss_at_instruction": json.dumps(behind)}
        return int(_number(self.run(keys | plan, False).result, "power_cycles", "losses"))


def _of_all(runs: list[Run]) -> str:
    if not runs:
        return ""

    def span(of: Callable[[Run], float]) -> str:
        values = [int(of(run)) for run in runs]
        return f"{min(values)} to {max(values)}"

    programs = span(lambda run: run.operations)
    erases = span(lambda run: _number(run.result, "flash", "erases"))
    copies = span(lambda run: _number(run.result, "flash", "pages_copied"))
    depths = span(lambda run: _number(run.result, "host", "max_in_flight"))
    return (
        f"{len(runs)} studies, of each {programs} programs and erases, {erases} erases, {copies} copies, "
        f"{depths} at once; "
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ftlab")
    parser.add_argument("studies", type=int)
    parser.add_argument("losses", type=int)
    parser.add_argument("--operations", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", default="0/1")
    parser.add_argument("--cores", default="arm,riscv")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    cores = options.cores.split(",")
    first, of = map(int, options.share.split("/"))
    laboratory = Laboratory(options.ftlab)
    failures: list[str] = []

    def of_studies(name: str, number: int) -> Run:
        dice = random.Random(f"{options.seed}/{name}/{number}")
        hot, reads, seed = dice.random() < 0.5, dice.choice((0.0, 0.2)), dice.randint(1, 1_000_000)
        keys = CASES[name](dice) | {"seed": str(seed)}
        shape = Shape(hot, float(keys.pop("workload.read_share", reads)), seed)
        return laboratory.study(keys, shape, cores, options.operations)

    def of_losses(name: str, number: int, core: str, losses: int) -> int:
        dice = random.Random(f"{options.seed}/{name}/{number}/{core}")
        keys = CASES[name](dice)
        keys |= _shortened(keys, 20) | {"seed": str(dice.randint(1, 1_000_000))}
        return laboratory.losses(keys, core, losses, dice)

    def guarded(what: str, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except (Failed, subprocess.TimeoutExpired) as failed:
            failures.append(f"{what}: {failed}")
            return None

    with ThreadPoolExecutor(options.jobs) as pool:
        for name in [name for name in CASES if options.only in name][first::of]:
            began = time.monotonic()
            studies = [
                pool.submit(guarded, f"{name}, study {n}", lambda name=name, n=n: of_studies(name, n))
                for n in range(options.studies)
            ]
            lost = []
            if not name.startswith("in-place"):
                for core in cores:
                    for n, done in enumerate(range(0, options.losses, _LOSSES_A_RUN)):
                        amount = min(_LOSSES_A_RUN, options.losses - done)
                        lost.append(
                            pool.submit(
                                guarded,
                                f"{name}, losses {n} on {core}",
                                lambda name=name, n=n, core=core, amount=amount: of_losses(name, n, core, amount),
                            )
                        )
            runs = [run for work in studies if (run := work.result()) is not None]
            mounts = sum(work.result() or 0 for work in lost)
            print(
                f"{name:16} {_of_all(runs)}{mounts} losses of power; {time.monotonic() - began:.0f} s",
                flush=True,
            )
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
