#!/usr/bin/env python3
"""The firmware's program on simulated cores: random studies beside native runs, and losses of power at random instants.

Usage: on_cores.py FTLAB STUDIES LOSSES [--seed N] [--only WORD] [--share FIRST/OF] [--cores arm,riscv] [--jobs N]
STUDIES of each firmware and part run natively and on each core: programs and erases of each die have to be equal, in
order, under the same causes, and all that is read has to be what was written. LOSSES of power come at random instants
of a run of each of them on each core, but for update in place, which may lose data then. Prints every case that failed,
with its command, and exits 1. Needs the images of the firmware. Standard library only.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_TIMEOUT_S = 900
# More of them in one run would leave too little work between two.
_LOSSES_A_RUN = 100
# Selections that read no clock. Of those that draw, dies draw in the order in which they come to clean.
_SELECTIONS = ("greedy", "lru", "windowed_greedy")

Keys = dict[str, str]


def _card(dice: random.Random) -> Keys:
    return {
        "part": "series2plus-4mb",
        "ftl.utilization": f"{dice.uniform(0.6, 0.75):.3f}",
        "workload.total_mib": f"{dice.uniform(8, 14):.2f}",
    }


def _onenand(dice: random.Random, part: str = "flexonenand-4gb") -> Keys:
    return {
        "part": part,
        "part_overrides.segments_per_die": "16",
        "part_overrides.bad_segments.reserve": "1",
        "host": "omap2420-400",
        "ftl.utilization": f"{dice.uniform(0.5, 0.7) if part == 'flexonenand-4gb' else dice.uniform(0.3, 0.36):.3f}",
        "workload.total_mib": f"{dice.uniform(60, 100):.1f}",
    }


def _array(dice: random.Random, dies: int) -> Keys:
    return {
        "part": dice.choice(("array-slc", "array-mlc", "array-tlc")),
        "part_overrides.content": "bytes",
        "part_overrides.segments": str(24 * dies),
        "part_overrides.pages_per_segment": "24",
        "part_overrides.channels": "1",
        "part_overrides.dies_per_channel": str(dies),
        "ftl.utilization": f"{dice.uniform(0.4, 0.6):.3f}",
        "workload.warm_up_overwrites": "0",
        "workload.overwrites": f"{dice.uniform(40, 60):.1f}",
    }


def _fms(keys: Keys, dice: random.Random) -> Keys:
    return keys | {
        "ftl.firmware": "fms",
        "ftl.selection": "greedy",
        "workload.queue_depth": "1",
        "ftl.redistribution": dice.choice(("sequential", "fine_grained")),
    }


def _page(keys: Keys, dice: random.Random, most: int = 16) -> Keys:
    return keys | {
        "ftl.firmware": "page",
        "ftl.selection": dice.choice(_SELECTIONS),
        "ftl.die_choice": "in_turn",
        "ftl.separation": dice.choice(("none", "sepbit")),
        "workload.queue_depth": str(dice.randint(2, most)),
    }


def _flexfs(keys: Keys, dice: random.Random) -> Keys:
    scheme = dice.choice(("slc_only", "jffs2", "baseline"))
    share = 0.5 if scheme == "slc_only" else 1
    return keys | {
        "ftl.firmware": "flexfs",
        "flexfs.scheme": scheme,
        "flexfs.wear_management": "false",
        "ftl.utilization": f"{dice.uniform(0.4, 0.55) * share:.3f}",
        "workload.queue_depth": "1",
    }


def _in_place(keys: Keys, _dice: random.Random, total: Keys) -> Keys:
    return keys | {"ftl.firmware": "in_place", "ftl.utilization": "0.5", "workload.queue_depth": "1"} | total


# With these, and no more in flight than there are dies, nothing depends on when an operation ends: not what is
# overwritten before a cleaning has copied it, and not what a separation finds written by then.
_WRITES_ALONE = {"workload.read_share": "0", "ftl.separation": "none"}

# The names are what --only looks for.
_CASES: dict[str, Callable[[random.Random], Keys]] = {
    "fms-nor": lambda dice: _fms(_card(dice), dice),
    "fms-onenand": lambda dice: _fms(_onenand(dice), dice),
    "fms-array": lambda dice: _fms(_array(dice, 1), dice),
    "page-nor": lambda dice: _page(_card(dice), dice),
    "page-onenand": lambda dice: _page(_onenand(dice, "flexonenand-8gb-ddp"), dice, 2) | _WRITES_ALONE,
    "page-array": lambda dice: _page(_array(dice, 4), dice, 4) | _WRITES_ALONE,
    "flexfs-onenand": lambda dice: _flexfs(_onenand(dice) | {"part_overrides.segments_per_die": "32"}, dice),
    "flexfs-array": lambda dice: _flexfs(_array(dice, 1) | {"part": "array-mlc"}, dice),
    "in-place-nor": lambda dice: _in_place(_card(dice), dice, {"workload.total_mib": "0.6"}),
    "in-place-onenand": lambda dice: _in_place(_onenand(dice), dice, {"workload.total_mib": "3"}),
    "in-place-array": lambda dice: _in_place(_array(dice, 4), dice, {"workload.overwrites": "3"}),
}


@dataclass
class Run:
    result: dict[str, object]
    changes: dict[str, tuple[int, str]]  # of each die: how many, and the digest of all in their order


class Failed(Exception):
    pass


def _number(result: dict[str, object], *path: str) -> float:
    at: object = result
    for name in path:
        assert isinstance(at, dict)
        at = at[name]
    return float(str(at))


def _changes(log: Path) -> dict[str, tuple[int, str]]:
    digests: dict[str, list[object]] = {}
    with log.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["phase"] != "measure" or not (row["kind"] == "erase" or row["kind"].endswith("_program")):
                continue
            die = digests.setdefault(row["device"], [0, hashlib.sha256()])
            die[0] = int(str(die[0])) + 1
            die[1].update(f"{row['kind']},{row['address']},{row['bytes']},{row['cause']};".encode())  # type: ignore[attr-defined]
    return {name: (int(str(die[0])), die[1].hexdigest()) for name, die in digests.items()}  # type: ignore[attr-defined]


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
                raise Failed(
                    f"exit status {done.returncode}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}\n  {' '.join(command)}"
                )
            result = dict(json.loads((Path(folder) / "out" / "result.json").read_text()))
            if _number(result, "host", "wrong_reads") != 0:
                raise Failed(f"wrong reads\n  {' '.join(command)}")
            return Run(result, _changes(log) if logs else {})

    def study(self, name: str, keys: Keys, cores: list[str]) -> int:
        """Gives the programs and erases that each of the runs made."""
        native = self.run(keys, True)
        for core in cores:
            run = self.run(keys | {"platform.processor": core}, True)
            if run.changes != native.changes:
                raise Failed(f"{name}: {core} does something else than the native run\n  {keys}")
            for figure in (("flash", "erases"), ("flash", "pages_copied"), ("host", "requests")):
                if _number(run.result, *figure) != _number(native.result, *figure):
                    raise Failed(f"{name}: {'.'.join(figure)} of {core} differ\n  {keys}")
        return sum(count for count, _ in native.changes.values())

    def losses(self, keys: Keys, core: str, losses: int, dice: random.Random) -> int:
        """Gives how many there were: those behind the end of a run come to nothing."""
        keys = keys | {"platform.processor": core, "workload.read_share": "0.3"}
        span = _number(self.run(keys, False).result, "time", "simulated_s")
        at = sorted({round(dice.uniform(0, span), 9) for _ in range(losses)})
        run = self.run(keys | {"power.loss_at_s": json.dumps(at)}, False)
        return int(_number(run.result, "power_cycles", "losses"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ftlab")
    parser.add_argument("studies", type=int)
    parser.add_argument("losses", type=int)
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

    def of_studies(name: str, number: int) -> int:
        dice = random.Random(f"{options.seed}/{name}/{number}")
        kind, reads, seed = dice.choice(("uniform", "hot_cold")), dice.choice((0.0, 0.2)), dice.randint(1, 1_000_000)
        keys = {"workload.read_share": str(reads)} | _CASES[name](dice) | {"workload.kind": kind, "seed": str(seed)}
        return laboratory.study(name, keys, cores)

    def of_losses(name: str, number: int, core: str, losses: int) -> int:
        dice = random.Random(f"{options.seed}/{name}/{number}/{core}")
        keys = _CASES[name](dice)
        for key in ("workload.total_mib", "workload.overwrites"):
            if key in keys:
                keys[key] = f"{float(keys[key]) / 20:.3f}"
        return laboratory.losses(keys | {"seed": str(dice.randint(1, 1_000_000))}, core, losses, dice)

    def guarded(what: str, work: Callable[[], int]) -> int:
        try:
            return work()
        except (Failed, subprocess.TimeoutExpired) as failed:
            failures.append(f"{what}: {failed}")
            return 0

    with ThreadPoolExecutor(options.jobs) as pool:
        for name in [name for name in _CASES if options.only in name][first::of]:
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
            changes, mounts = [work.result() for work in studies], [work.result() for work in lost]
            print(
                f"{name:15} {len(changes)} studies, programs and erases of each {min(changes, default=0)} to {max(changes, default=0)}; {sum(mounts)} losses of power",
                flush=True,
            )
    for failure in failures:
        print(f"FAILED {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
