#!/usr/bin/env python3
"""Random programs with exceptions on our cores and on QEMU: what each handler finds is equal, and so is memory at the end.

Usage: traps.py RUNNER arm|riscv SEED PROGRAMS [--jobs N]
RUNNER is ftlab-run-traps. A thousand programs are an image; both write the same log, of a record for each exception.
Prints the program that differs first, with both logs, and ends with status 1; SEED of that program and 1 repeat it.
Wants the cross binutils of both cores and qemu-system, which is GPL and run as a program alone. Standard library only.
"""

from __future__ import annotations

import argparse
import importlib
import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

_HERE = Path(__file__).resolve().parent
_PROGRAMS = 1000  # of an image
_TIMEOUT_S = 60
_BEGIN, _DONE = 0x50524F47, 0x444F4E45


@dataclass
class Run:
    """What a log says of one program; `end` is empty where it has not come to its end."""

    records: list[dict[str, int]]
    end: tuple[int, ...]


class Comparison:
    def __init__(self, runner: Path, core: str) -> None:
        sys.path.insert(0, str(_HERE / "traps"))
        self._runner, self._core = runner, core
        self._of: ModuleType = importlib.import_module(core)

    def batch(self, seed: int, programs: int) -> str | int:
        """What differs first, or how many exceptions there were."""
        with tempfile.TemporaryDirectory(prefix="ftlab-traps-") as folder:
            ours, theirs = self._logs(Path(folder), seed, programs)
            wrong = next((n for n in range(programs) if not self._equal(ours, theirs, n)), None)
            if wrong is None:
                return sum(len(run.records) for run in ours)
            if programs == 1:
                return self._report(Path(folder), seed, ours, theirs)
        if theirs and len(ours) > wrong:
            parts = [(seed + wrong, 1)]
        else:  # one of them has no log of a program that does not end
            parts = [(seed, programs // 2), (seed + programs // 2, programs - programs // 2)]
        found = (self.batch(*part) for part in parts)
        return next((said for said in found if isinstance(said, str)), f"programs from {seed} on: what differs depends on those before it")

    @staticmethod
    def _equal(ours: list[Run], theirs: list[Run], number: int) -> bool:
        return number < min(len(ours), len(theirs)) and ours[number] == theirs[number] and bool(ours[number].end)

    def _logs(self, folder: Path, seed: int, programs: int) -> tuple[list[Run], list[Run]]:
        text = (_HERE / "traps" / f"{self._core}.s").read_text(encoding="utf-8")
        for number in range(programs):
            text += self._of.program(seed + number, number) + "\n"
        text += "  .balign 4\nprograms:\n" + "".join(f"  .word p{number}\n" for number in range(programs)) + "  .word 0\n"
        (folder / "image.s").write_text(text, encoding="utf-8")
        for tool, *flags in ((*self._of.ASSEMBLE, "-o", "image.o", "image.s"), (*self._of.LINK, "-e", "start", "-o", "image.elf", "image.o")):
            subprocess.run([self._of.PREFIX + tool, *flags], cwd=folder, check=True)
        subprocess.run([self._runner, self._core, "image.elf", "ours"], cwd=folder, check=True, timeout=_TIMEOUT_S)
        emulator = [*self._of.QEMU, "-nographic", "-monitor", "none", "-serial", "none", "-kernel", "image.elf"]
        try:
            subprocess.run([*emulator, "-semihosting-config", "enable=on,target=native"], cwd=folder, stdin=subprocess.DEVNULL, check=False, timeout=_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            print("theirs: does not end", file=sys.stderr)
        return self._parsed(folder / "ours"), self._parsed(folder / "log")

    def _parsed(self, log: Path) -> list[Run]:
        data = log.read_bytes() if log.exists() else b""
        words = struct.unpack(f"<{len(data) // 4}I", data[: len(data) // 4 * 4])
        runs: list[Run] = []
        names = self._of.RECORD
        at = 0
        while at < len(words):
            if words[at] == _BEGIN:
                runs.append(Run([], ()))
                at += 2
            elif words[at] == _DONE:
                runs[-1].end = words[at + 1 : at + 1 + self._of.END_WORDS]
                at += 1 + self._of.END_WORDS
            else:
                runs[-1].records.append(self._of.normal(dict(zip(names, words[at : at + len(names)], strict=False))))
                at += len(names)
        return runs

    def _report(self, folder: Path, seed: int, ours: list[Run], theirs: list[Run]) -> str:
        said = [f"program {seed} differs", self._of.program(seed, 0)]
        listed = subprocess.run([self._of.PREFIX + "objdump", "-d", "image.elf"], cwd=folder, capture_output=True, text=True, check=True).stdout
        said += [line for line in listed[listed.find("<p0_") :].splitlines() if line.strip()]
        ours, theirs = (runs or [Run([], ())] for runs in (ours, theirs))
        for number in range(max(len(ours[0].records), len(theirs[0].records))):
            ours_has, theirs_has = (run[0].records[number] if number < len(run[0].records) else {} for run in (ours, theirs))
            said.append(f"exception {number}:")
            if ours_has == theirs_has:
                said[-1] += " " + ", ".join(f"{name} {ours_has[name]:x}" for name in self._of.SHORTLY)
                continue
            for name in self._of.RECORD:
                both = ours_has.get(name), theirs_has.get(name)
                ours_said, theirs_said = ("-" if value is None else f"{value:08x}" for value in both)
                said.append(f"  {name:12} {ours_said}" + ("" if both[0] == both[1] else f"   theirs {theirs_said}"))
        for number, both in enumerate(zip(ours[0].end, theirs[0].end, strict=False)):
            if both[0] != both[1]:
                said.append(f"word {number} at the end: ours {both[0]:08x}, theirs {both[1]:08x}")
        said += [f"{whose}: does not end" for whose, runs in (("ours", ours), ("theirs", theirs)) if not runs[0].end]
        return "\n".join(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("runner", type=Path)
    parser.add_argument("core", choices=("arm", "riscv"))
    parser.add_argument("seed", type=int)
    parser.add_argument("programs", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args()
    comparison = Comparison(given.runner.resolve(), given.core)
    batches = [(given.seed + first, min(_PROGRAMS, given.programs - first)) for first in range(0, given.programs, _PROGRAMS)]
    exceptions = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for found in pool.map(lambda batch: comparison.batch(*batch), batches):
            if isinstance(found, str):
                print(found)
                pool.shutdown(cancel_futures=True)
                return 1
            exceptions += found
    print(f"{given.programs} programs with {exceptions} exceptions: what handlers find and memory are equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
