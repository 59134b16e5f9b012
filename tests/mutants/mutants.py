#!/usr/bin/env python3
"""Switches the firmware's safety measures off, one at a time, and sees that each is missed; or makes an instruction wrong.

Usage: mutants.py ROOT TREE [--cores] [--only NAME]... [--draw N [--seed SEED]] [--jobs N] [--trust] [--check]
ROOT: the repository. TREE: configured for it; what is missing there is built. The preset `mutants` compiles one object
a file, which is fastest for many mutants of the firmware; a tree with unity builds does for a few. Those of the
instruction-set cores (--cores) want a tree of everything; --draw draws from both lists, --check looks at both.
Each mutant of tests/mutants/mutants.toml or cores.toml replaces a piece of one source file; what holds that file is compiled again and
linked before all else. The tests and campaigns named there run until one fails, and programs with exceptions of the core that
`traps` names (tests/cores/traps.py). A mutant that nothing catches, whose
piece no longer stands in the source exactly once, or whose tests the preset does not build, fails the run. Standard
library only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from catching import AMOUNTS, Undecided, failing_test, first_failure, trap_that_differs

# Lists of mutants, and whether a tree of the firmware alone has what they need.
_LISTS = {"mutants.toml": True, "cores.toml": False}
_CAMPAIGN = "tests/powerloss/ftlab-campaign"
_TRAPS = "tests/cores/ftlab-run-traps"
# Where the sources lie whose headers may be mutated, as object files are called.
_TESTED = ("firmware/", "platform/machine/iss/")
# Sources of tests that a drawn sample compiles by themselves.
_ALONE = 6


class Refused(Exception):
    """The list or the tree is not as it must be."""


@dataclass(frozen=True)
class Mutant:
    name: str
    measure: str  # the safety measure, as a sentence
    file: str
    find: str
    replace: str
    layers: tuple[str, ...]  # to run campaigns over
    kind: str  # of campaign that comes first
    seed: int  # of the first case
    tests: tuple[str, ...]  # programs below TREE with a filter, for what no campaign sees
    traps: str  # the core whose exceptions are compared with another emulator's
    firmware: bool  # the tests are in a tree of the firmware alone


def read_lists(root: Path) -> list[Mutant]:
    mutants = [mutant for name, firmware in _LISTS.items() for mutant in read_list(root / "tests/mutants" / name, firmware)]
    names = [m.name for m in mutants]
    for name in names:
        if names.count(name) > 1:
            raise Refused(f"tests/mutants: two mutants are called {name}")
    return mutants


def read_list(path: Path, firmware: bool) -> list[Mutant]:
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    mutants = [
        Mutant(r["name"], r["measure"], r["file"], r["find"], r.get("replace", ""), tuple(r.get("layers", ())), r.get("kind", "storm"), r.get("seed", 1), tuple(r.get("tests", ())), r.get("traps", ""), firmware)
        for r in rows
    ]
    for mutant in mutants:
        if mutant.kind not in AMOUNTS:
            raise Refused(f"{path}: {mutant.name}: kind {mutant.kind!r} is none of {', '.join(AMOUNTS)}")
    return mutants


def mutated(root: Path, mutant: Mutant) -> str:
    text = (root / mutant.file).read_text(encoding="utf-8")
    times = text.count(mutant.find)
    if times != 1:
        raise Refused(f"{mutant.name}: its piece stands {times} times in {mutant.file}; bring tests/mutants/mutants.toml up to date")
    return text.replace(mutant.find, mutant.replace)


_INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)


class Tree:
    """A build tree: how to compile a translation unit again and link a program with it."""

    def __init__(self, root: Path, tree: Path) -> None:
        self.root, self.tree = root, tree
        rows = json.loads((tree / "compile_commands.json").read_text(encoding="utf-8"))
        self._compile = {row["file"]: shlex.split(row["command"]) for row in rows}
        self._unity = {source: unit for unit in self._compile if unit.endswith(".cxx") for source in self._sources_of(unit)}

    @staticmethod
    def _sources_of(unit: str) -> list[str]:
        return _INCLUDED.findall(Path(unit).read_text(encoding="utf-8")) if unit.endswith(".cxx") else [unit]

    def sources(self) -> list[str]:
        """All of the checkout."""
        within = (source for unit in self._compile for source in self._sources_of(unit))
        return sorted({source for source in within if Path(source).is_relative_to(self.root) and not Path(source).is_relative_to(self.tree)})

    def units_with(self, file: str) -> list[str]:
        """Translation units of what is tested that see the file."""
        source = str(self.root / file)
        if file.endswith(".cpp"):
            return [self._unity.get(source, source)]
        deps = subprocess.run(["ninja", "-C", str(self.tree), "-t", "deps"], capture_output=True, text=True, check=True).stdout
        found = set()
        for block in deps.split("\n\n"):
            lines = [line.strip() for line in block.splitlines()]
            if not lines or not lines[0].startswith(_TESTED):
                continue
            # Relative to the tree where a compiler's cache has a base directory.
            seen = [os.path.normpath(self.tree / line) for line in lines[1:]]
            if source in seen:
                found.add(next(path for path in seen if path in self._compile))
        if not found:
            raise Refused(f"no source of the firmware or a core includes {file}")
        return sorted(found)

    def compile(self, unit: str, overlay: Path, out: Path) -> None:
        command = [part for part in self._compile[unit] if part != "-Werror"]
        used = self._overlaid(unit, overlay, out)
        command = [used if part == unit else part for part in command]
        command[command.index("-o") + 1] = str(out)
        for flag in ("-MD", "-MT", "-MF"):
            if flag in command:
                at = command.index(flag)
                del command[at : at + (1 if flag == "-MD" else 2)]
        command.insert(1, "-w")  # what is left of a piece may be unused
        first_include = next(i for i, part in enumerate(command) if part.startswith("-I"))
        command.insert(first_include, f"-I{overlay}")
        self._run(command)

    def _overlaid(self, unit: str, overlay: Path, out: Path) -> str:
        """The unit, or a copy of it with the sources of the overlay in place of theirs."""
        mutated_of = {source: overlay / Path(source).relative_to(self.root) for source in self._sources_of(unit)}
        if unit in mutated_of:
            return str(mutated_of[unit]) if mutated_of[unit].exists() else unit
        copy = out.with_suffix(".cxx")
        includes = [str(mutated) if mutated.exists() else source for source, mutated in mutated_of.items()]
        copy.write_text("".join(f'#include "{path}"\n' for path in includes), encoding="utf-8")
        return str(copy)

    def check_alone(self, source: str) -> None:
        """That the source compiles by itself, whatever else its unity build includes."""
        unit = self._unity.get(source, source)
        command = [source if part == unit else part for part in self._compile[unit]]
        self._run([*command[: command.index("-o")], "-fsyntax-only", *command[command.index("-c") :]])

    def link(self, program: str, objects: list[Path], out: Path) -> None:
        """The mutated objects come first: archives' members of the same names are not taken, nor are others' copies of
        inline functions."""
        listed = subprocess.run(
            ["ninja", "-C", str(self.tree), "-t", "commands", program], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        command = shlex.split(listed[-1].removeprefix(": && ").removesuffix(" && :"))
        # Steps behind the link (listing tests) are not wanted.
        if "&&" in command:
            command = command[: command.index("&&")]
        at = command.index("-o")
        command[at + 1] = str(out)
        first = next(i for i, part in enumerate(command) if part.endswith(".o"))
        command[first:first] = [str(o) for o in objects]
        self._run(command)

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(command, cwd=self.tree, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Refused(f"does not build: {what_failed(done.stderr)}")


def what_failed(said: str) -> str:
    """The lines of a compiler, a linker or ninja that name an error, or the last ones."""
    lines = [line for line in said.splitlines() if re.search(r"error:|undefined reference|multiple definition", line)]
    return "\n".join(lines[:10] or said.strip().splitlines()[-10:])


def program_of(test: str) -> str:
    return test.partition(" ")[0]


def filter_of(test: str) -> str:
    return test.partition(" ")[2] or "*"


def try_mutant(tree: Tree, mutant: Mutant) -> str | None:
    """What caught it, or None."""
    work = tree.tree / "mutants" / mutant.name
    shutil.rmtree(work, ignore_errors=True)
    overlay = work / "source"
    target = overlay / mutant.file
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(mutated(tree.root, mutant), encoding="utf-8")
    objects = []
    for number, unit in enumerate(tree.units_with(mutant.file)):
        objects.append(work / f"{number}.o")
        tree.compile(unit, overlay, objects[-1])
    for test in mutant.tests:
        program = work / Path(program_of(test)).name
        if not program.exists():
            tree.link(program_of(test), objects, program)
        caught = failing_test(program, filter_of(test), tree.tree / program_of(test))
        if caught:
            return f"{program.name}: {caught}"
    if mutant.traps:
        program = work / "ftlab-run-traps"
        tree.link(_TRAPS, objects, program)
        caught = trap_that_differs(tree.root, program, mutant.traps, tree.tree / _TRAPS)
        if caught:
            return f"{program.name}: {caught}"
    if mutant.layers:
        program = work / "ftlab-campaign"
        tree.link(_CAMPAIGN, objects, program)
        return first_failure(program, mutant.layers, mutant.kind, mutant.seed, tree.tree / _CAMPAIGN)
    return None


def why_nothing_can_be_learnt(root: Path, tree: Path, chosen: list[Mutant], jobs: int) -> str | None:
    """What fails with the sources as they are."""
    layers = sorted({layer for mutant in chosen for layer in mutant.layers})
    tests = sorted({test for mutant in chosen for test in mutant.tests})
    cores = sorted({mutant.traps for mutant in chosen if mutant.traps})
    with ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(first_failure, tree / _CAMPAIGN, (layer,)) for layer in layers]
        runs += [pool.submit(failing_test, tree / program_of(test), filter_of(test)) for test in tests]
        runs += [pool.submit(trap_that_differs, root, tree / _TRAPS, core) for core in cores]
        try:
            failures = [run.result() for run in runs]
        except Undecided as reason:
            return str(reason)
    whose = [*layers, *tests, *cores]
    return next((f"{what}: {failure}" for what, failure in zip(whose, failures, strict=True) if failure), None)


def folders_of(root: Path) -> set[str]:
    """The folders of tests that a tree of the firmware alone builds."""
    text = (root / "tests/CMakeLists.txt").read_text(encoding="utf-8")
    text = re.sub(r"if\((?:NOT FTLAB_FIRMWARE_ONLY|FTLAB_SANITIZE|FTLAB_FUZZ).*?^endif\(\)", "", text, flags=re.DOTALL | re.MULTILINE)
    parts = " ".join(re.findall(r"^ *ftlab_test_parts\(([^)]*)\)", text, flags=re.MULTILINE))
    return {f"tests/{part}" for part in parts.split()}


def programs_of(root: Path, folder: str, firmware: bool) -> set[str]:
    """The test programs that a folder's CMakeLists.txt makes; in a tree of the firmware alone: not those that ask for a
    target of the hardware."""
    if firmware and not any(folder == built or folder.startswith(f"{built}/") for built in folders_of(root)):
        return set()
    file = root / folder / "CMakeLists.txt"
    programs: set[str] = set()
    conditions: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
        if opened := re.match(r"\s*if\((.*)", line):
            conditions.append(opened[1])
        elif re.match(r"\s*endif\(", line):
            conditions.pop()
        if not any(condition.startswith("TARGET ") for condition in conditions):
            programs.update(re.findall(r"^\s*(?:add_executable|ftlab_ftl_test)\(\s*(\w+)", line))
            # The name may stand on the next line.
            programs.update(re.findall(r"^\s+(\w+_test)\b", line))
    return programs


def check(root: Path, mutants: list[Mutant]) -> int:
    try:
        for mutant in mutants:
            mutated(root, mutant)
            for program in map(program_of, mutant.tests):
                folder, _, name = program.rpartition("/")
                if name not in programs_of(root, folder, mutant.firmware):
                    raise Refused(f"{mutant.name}: no test program {program} is built" + (" by the preset mutants" if mutant.firmware else ""))
    except Refused as reason:
        print(f"mutants: {reason}")
        return 1
    print(f"all {len(mutants)} pieces that mutants replace are there, and all programs that they name")
    return 0


def check_some_alone(tree: Tree, dice: random.Random) -> int:
    """Unity builds hide an include that is missing; answers how many sources lack one."""
    lacking = 0
    for source in sorted(dice.sample(tree.sources(), _ALONE)):
        name = Path(source).relative_to(tree.root)
        try:
            tree.check_alone(source)
            print(f"  {name}: compiles alone")
        except Refused as reason:
            lacking += 1
            print(f"  {name}: {reason}")
    return lacking


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("root", type=Path)
    parser.add_argument("tree", type=Path)
    parser.add_argument("--cores", action="store_true", help="the list of the instruction-set cores")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--draw", type=int, metavar="N", help="N mutants drawn by chance, and some sources compiled by themselves")
    parser.add_argument("--seed", type=int, help="of --draw; another one each time unless given")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--trust", action="store_true", help="the sources as they are are known to pass")
    parser.add_argument("--check", action="store_true", help="only see that every piece stands where it should; TREE is not used")
    given = parser.parse_args()
    root = given.root.resolve()
    try:
        mutants = read_lists(root)
    except Refused as reason:
        print(f"mutants: {reason}")
        return 1
    if given.check:
        return check(root, mutants)
    if not given.draw:
        mutants = [m for m in mutants if m.firmware != given.cores]
    unknown = set(given.only) - {m.name for m in mutants}
    if unknown:
        print(f"mutants: no mutant is called {', '.join(sorted(unknown))}; known are {', '.join(m.name for m in mutants)}")
        return 2
    chosen = [m for m in mutants if not given.only or m.name in given.only]
    seed = random.SystemRandom().randrange(2**32) if given.seed is None else given.seed
    dice = random.Random(seed)
    if given.draw:
        # A campaign may take minutes to find one, and a header is in many translation units.
        quick = [m for m in chosen if m.tests and m.file.endswith(".cpp")]
        chosen = dice.sample(quick, min(given.draw, len(quick)))
        print(f"mutants drawn with --seed {seed}: {', '.join(m.name for m in chosen)}", flush=True)
    programs = {program_of(test) for mutant in chosen for test in mutant.tests}
    programs |= {_CAMPAIGN} if any(m.layers for m in chosen) else set()
    programs |= {_TRAPS} if any(m.traps for m in chosen) else set()
    built = subprocess.run(["ninja", "-C", str(given.tree), *sorted(programs)], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        print(f"mutants: the tree does not build\n{what_failed(built.stdout + built.stderr)}")
        return 1
    tree = Tree(root, given.tree.resolve())

    def attempt(mutant: Mutant) -> tuple[str | None, str]:
        try:
            caught = try_mutant(tree, mutant)
            return caught, caught or "SURVIVED"
        except (Refused, Undecided) as reason:
            return None, f"NOT TRIED: {reason}"

    started = time.monotonic()
    broken = None if given.trust else why_nothing_can_be_learnt(root, given.tree, chosen, given.jobs)
    if broken:
        print(f"mutants: the sources as they are fail, so that nothing can be learnt: {broken}")
        return 1
    lacking = check_some_alone(tree, dice) if given.draw else 0
    survivors = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for mutant, (caught, said) in zip(chosen, pool.map(attempt, chosen), strict=True):
            survivors += caught is None
            print(f"  {mutant.name}: {said}", flush=True)
            if caught is None:
                print(f"      {mutant.measure}")
    print(f"mutants: {len(chosen) - survivors} of {len(chosen)} caught; {time.monotonic() - started:.0f} s")
    return 1 if survivors or lacking else 0


if __name__ == "__main__":
    sys.exit(main())
