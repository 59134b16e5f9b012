#!/usr/bin/env python3
"""Instructions that the program takes for a request on each path of paths.toml, beside those of before.

Usage: count_instructions.py FTLAB [--only WORD] [--jobs N] [--save]
Counts are callgrind's, of two lengths of one study, so that neither the machine nor the start is in them. A path that
takes 2 % more than counted.json says fails; --save keeps the counts of now. They hold for the compiler that is named
there: of another one's they are printed, and not judged. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
_SAVED = _HERE / "counted.json"
_TOLERANCE = 0.02


@dataclass(frozen=True)
class WatchedPath:
    name: str
    each: str
    figure: str  # of the result: how many of those there were
    length: tuple[str, str, str]  # key, short, long
    settings: dict[str, str]


def _paths() -> list[WatchedPath]:
    with (_HERE / "paths.toml").open("rb") as file:
        return [WatchedPath(**{**path, "length": tuple(path["length"])}) for path in tomllib.load(file)["path"]]


def _run(ftlab: str, settings: dict[str, str], figure: str) -> tuple[int, float]:
    """Instructions of the whole program, and how many of what is counted."""
    with tempfile.TemporaryDirectory(prefix="ftlab-speed-") as folder:
        (Path(folder) / "study.toml").write_text("")
        counts = Path(folder) / "callgrind"
        command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={counts}", ftlab, "run"]
        command += [f"{folder}/study.toml", "--quiet", "--out", f"{folder}/out"]
        command += [f"--set={key}={value}" for key, value in settings.items()]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"exit status {done.returncode} of {settings}: {done.stderr.strip()}")
        found = re.search(r"^(?:totals|summary): (\d+)", counts.read_text(), re.MULTILINE)
        if found is None:
            raise SystemExit(f"callgrind counted nothing: {done.stderr.strip()}")
        at: object = json.loads((Path(folder) / "out" / "result.json").read_text())
        for name in figure.split("."):
            assert isinstance(at, dict)
            at = at[name]
        return int(found[1]), float(str(at))


def _cost(ftlab: str, path: WatchedPath) -> float:
    key, short, long = path.length
    (less, few), (more, many) = (_run(ftlab, {**path.settings, key: value}, path.figure) for value in (short, long))
    return (more - less) / (many - few)


def _compiler(ftlab: str) -> str:
    """As the program itself names who compiled it."""
    comment = subprocess.run(["readelf", "-p", ".comment", ftlab], capture_output=True, text=True, check=True).stdout
    found = re.search(r"GCC: .*|clang version \S+", comment)
    return found[0].strip() if found else "unknown"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ftlab")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--save", action="store_true")
    options = parser.parse_args()
    paths = [path for path in _paths() if options.only in path.name]
    if not paths:
        parser.error(f"no path's name holds {options.only!r}")
    saved = json.loads(_SAVED.read_text()) if _SAVED.exists() else {}
    of_compiler: str = saved.get("compiler", "no compiler")
    counts: dict[str, int] = saved.get("instructions", {})
    compiler = _compiler(options.ftlab)
    judged = compiler == of_compiler
    with ThreadPoolExecutor(options.jobs) as pool:
        costs = list(pool.map(lambda path: _cost(options.ftlab, path), paths))
    failed = False
    for path, cost in zip(paths, costs, strict=True):
        before = counts.get(path.name)
        ratio = "" if before is None else f", {cost / before:.3f} of before"
        verdict = ""
        if judged and (before is None or cost > before * (1 + _TOLERANCE)):
            verdict, failed = "  FAILED", True
        print(f"{path.name:52} {cost:8.0f} instructions a {path.each}{ratio}{verdict}")
    if options.save:
        kept = (counts if judged else {}) | {path.name: round(cost) for path, cost in zip(paths, costs, strict=True)}
        _SAVED.write_text(json.dumps({"compiler": compiler, "instructions": kept}, indent=1) + "\n")
        print(f"saved to {_SAVED}")
        return 0
    if not judged:
        print(f"not judged: {_SAVED.name} is of {of_compiler}, and this program of {compiler}")
    if failed:
        print("More instructions than before: find out what for (valgrind --tool=callgrind), or keep them (--save).")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
