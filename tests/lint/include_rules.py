#!/usr/bin/env python3
"""Enforces the layers: who may include whom, who may know a firmware or a family of parts by name, and what firmware and SystemC-free code
must not use.

Usage: include_rules.py [ROOT]. Prints one line per breach and exits 1 when there is one. Standard library only.
Looks at spelling alone, not through the preprocessor: an include that is conditionally compiled counts.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tree  # noqa: E402

_LAYERS = ("common", "firmware", "hw", "workloads", "platform", "tests")


@dataclass(frozen=True)
class Rule:
    """What files below `folder` may include; the rule with the longest match counts. `hw/a` also means hw/a.h, hw/a.cpp."""

    folder: str
    may_include: tuple[str, ...]  # path prefixes of ours
    systemc: bool = False
    but_not: tuple[str, ...] = ()


# From the bottom: each of these rooms may use those before it.
_FIRMWARE_BELOW = ("firmware/port/", "firmware/base/", "firmware/map/", "firmware/policy/", "firmware/volume/")

_VOLUME_ROOMS = ("format", "lists", "clean", "log", "in_flight", "reclaim", "requests", "mount")


def _in_volume(room: str, rooms: tuple[str, ...]) -> Rule:
    folders = (f"firmware/volume/{other}/" for other in rooms)
    below = ("common/", *_FIRMWARE_BELOW[:4], "firmware/volume/volume_config.h")
    return Rule(f"firmware/volume/{room}", (*below, *folders), but_not=("common/toml/",))


_RULES = (
    Rule("common", ("common/",)),
    Rule("firmware", ("common/", "firmware/", "hw/regs/"), but_not=("common/toml/",)),
    Rule("firmware/port", ("common/", "firmware/port/"), but_not=("common/toml/",)),
    Rule("firmware/base", ("common/", *_FIRMWARE_BELOW[:2]), but_not=("common/toml/",)),
    Rule("firmware/map", ("common/", *_FIRMWARE_BELOW[:3]), but_not=("common/toml/",)),
    Rule("firmware/driver", ("common/", *_FIRMWARE_BELOW[:2], "firmware/driver/", "hw/regs/"), but_not=("common/toml/",)),
    Rule("firmware/policy", ("common/", *_FIRMWARE_BELOW[:4]), but_not=("common/toml/",)),
    Rule("firmware/volume", ("common/", *_FIRMWARE_BELOW), but_not=("common/toml/",)),
    *(_in_volume(room, _VOLUME_ROOMS[: i + 1]) for i, room in enumerate(_VOLUME_ROOMS)),
    Rule("firmware/ftl", ("common/", *_FIRMWARE_BELOW, "firmware/ftl/"), but_not=("common/toml/",)),
    Rule("hw", ("common/", "hw/"), systemc=True),
    Rule("hw/regs", ("common/", "hw/regs/"), but_not=("common/toml/",)),
    # The card's behaviour (command machines, timing, energy, wear) is plain C++; only its module and wrapper are SystemC.
    Rule("hw/base", ("common/", "hw/base/")),
    Rule("hw/series2plus", ("common/", "hw/series2plus/", "hw/base/", "hw/regs/")),
    Rule("hw/series2plus/shell", ("common/", "hw/"), systemc=True),
    Rule("hw/onenand", ("common/", "hw/onenand/", "hw/base/", "hw/regs/")),
    Rule("hw/onenand/shell", ("common/", "hw/"), systemc=True),
    Rule("hw/array", ("common/", "hw/array/", "hw/base/", "hw/regs/")),
    Rule("hw/array/shell", ("common/", "hw/"), systemc=True),
    Rule("workloads", ("common/", "workloads/")),
    # Equations: they know no run that they are held against.
    Rule("platform/analytic", ("common/", "platform/analytic/"), but_not=("common/toml/",)),
    # From the bottom: files, studies, firmwares and the machine, what is measured, runs. None looks up.
    Rule("platform/files", ("common/", "firmware/port/", "workloads/scenarios/", "platform/files/")),
    # A study is words: it knows no layer and no part, and nothing that runs. Its keys are collected from the structs
    # that they set.
    Rule("platform/study", ("common/", "workloads/", "platform/study/", "platform/files/")),
    Rule("platform/study/part_family", ("common/", "firmware/driver/", "hw/", "workloads/", "platform/study/")),
    # A firmware and its row: what a study's keys come to on ports.
    Rule("platform/firmwares", ("common/", "firmware/", "hw/base/", "platform/firmwares/", "platform/study/")),
    # Sizes a firmware's pools by the models: a study's numbers in, the layer's configuration out.
    Rule(
        "platform/firmwares/pool_arithmetic",
        ("common/", "firmware/", "platform/analytic/", "platform/firmwares/", "platform/study/"),
    ),
    # The host is beside the machine; only its queue, as firmware sees it, knows the processor.
    Rule("platform/host", ("common/", "firmware/port/", "workloads/", "platform/host/")),
    Rule("platform/host/storage_client", ("common/", "firmware/", "platform/host/", "platform/machine/processor.h")),
    Rule(
        "platform/machine",
        ("common/", "firmware/", "hw/", "platform/machine/", "platform/study/", "platform/files/"),
        systemc=True,
    ),
    # Cores know instructions and memory, and neither the machine around them nor its time.
    Rule("platform/machine/iss", ("common/", "platform/machine/iss/"), but_not=("common/toml/",)),
    Rule(
        "platform/measure",
        ("common/", "firmware/", "hw/", "workloads/", "platform/measure/", "platform/analytic/", "platform/firmwares/")
        + ("platform/host/", "platform/machine/", "platform/study/", "platform/files/"),
        systemc=True,
    ),
    Rule("platform", ("common/", "firmware/", "hw/", "workloads/", "platform/"), systemc=True),
    Rule("tests", tuple(f"{layer}/" for layer in _LAYERS), systemc=True),
)

_INCLUDE = re.compile(r'^\s*#\s*include\s*(?P<open>[<"])(?P<path>[^>"]+)[>"]')
_SYSTEMC = re.compile(r"^(systemc|sysc/|tlm|tlm_)")

# Firmware runs on a target: no streams, no heap containers, no threads, no wall clock, no floating-point library.
_NOT_IN_FIRMWARE = {
    *("iostream", "istream", "ostream", "fstream", "sstream", "iomanip", "print", "format", "filesystem", "regex"),
    *("exception", "stdexcept", "typeinfo", "typeindex", "any", "locale", "random", "ctime", "cmath", "cstdio"),
    *("string", "vector", "map", "set", "unordered_map", "unordered_set", "list", "deque", "queue", "stack"),
    *("functional", "thread", "mutex", "future", "condition_variable", "memory_resource"),
}
_NOT_FIRMWARE_CODE = (
    (re.compile(r"\b(throw|try|catch)\b(?=\s*[\w({;:\"])"), "exceptions"),
    (re.compile(r"\b(dynamic_cast|typeid)\b"), "run-time type information"),
    (re.compile(r"\b(system_clock|steady_clock|high_resolution_clock)\b"), "a wall clock"),
    (re.compile(r"\b(malloc|calloc|realloc|make_unique|make_shared)\b|\bnew\s+[A-Za-z_]"), "the heap"),
)
# For benches and tests that live beside the sources.
_BESIDE = ("bench",)


def rule_for(path: str) -> Rule | None:
    """The rule that holds for a file; None for files that belong to no layer (examples, reports)."""
    fitting = [rule for rule in _RULES if path.startswith((rule.folder + "/", rule.folder + "."))]
    return max(fitting, key=lambda rule: len(rule.folder), default=None)


def strip_comments(text: str) -> str:
    """The code with comments and string contents blanked; line numbers stay."""

    def blank(match: re.Match[str]) -> str:
        found = match.group(0)
        if found.startswith('"'):
            return '""'
        return "\n" * found.count("\n") if found.startswith("/*") else ""

    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.DOTALL)


def breaches(path: str, text: str) -> list[str]:
    """One line per breach in the file at this repository path."""
    rule = rule_for(path)
    if rule is None:
        return []
    if any(part in _BESIDE for part in Path(path).parts):
        rule = Rule(rule.folder, tuple(f"{layer}/" for layer in _LAYERS if layer != "tests"), systemc=True)
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _INCLUDE.match(line)
        if match:
            found += [f"{path}:{number}: {what}" for what in _include_breaches(rule, match["open"], match["path"])]
    if path.endswith(".h") and "#pragma once" not in text:
        found.append(f"{path}:1: a header starts with #pragma once")
    if rule.folder != "tests" and path.endswith(".h") and not text.startswith("//"):
        found.append(f"{path}:1: the first comment says the file's duty, and what it does not know")
    if path.startswith("firmware/") and "bench" not in Path(path).parts:
        for number, line in enumerate(strip_comments(text).splitlines(), start=1):
            for pattern, what in _NOT_FIRMWARE_CODE:
                if pattern.search(line):
                    found.append(f"{path}:{number}: firmware does not use {what}")
    return found


def _include_breaches(rule: Rule, opening: str, included: str) -> list[str]:
    found = []
    if ".." in included.split("/") or (opening == '"' and "/" not in included):
        return [f'"{included}" is not spelled from the repository root']
    layer = included.split("/")[0]
    if layer in _LAYERS and "/" in included:
        if opening == "<":
            found.append(f"<{included}> is ours, so it is included with quotes")
        if not included.startswith(rule.may_include) or included.startswith(rule.but_not):
            allowed = ", ".join([*rule.may_include, *(f"not {folder}" for folder in rule.but_not)])
            found.append(f"{rule.folder} must not include {included} (allowed: {allowed})")
    if _SYSTEMC.match(included) and not rule.systemc:
        found.append(f"{rule.folder} is free of SystemC, so it must not include <{included}>")
    if rule.folder.startswith("firmware") and included in _NOT_IN_FIRMWARE and not rule.systemc:
        found.append(f"firmware must not include <{included}>")
    return found


_NO_ROWS = (
    ("platform/study/keys.cpp", "in_place"),  # the way to update that it is named for
    ("platform/machine/families/array_device.cpp", "array"),  # the model's name in SystemC
    ("platform/measure/result_schema.cpp", "array"),  # JSON's
)
_ROWS_OF_FAMILIES = "platform/study/part_family.cpp"
_FAMILY_COMPARED = re.compile(r"\bk\w+Family\b\s*[=!]=|[=!]=\s*&?\s*k\w+Family\b")


def firmwares_of(root: Path) -> list[str]:
    """Names of the firmwares of the tree."""
    path = root / "platform" / "firmwares" / "members.inc"
    return re.findall(r"^FTLAB_MEMBER\((\w+)\)", path.read_text(), re.MULTILINE) if path.exists() else []


def families_of(root: Path) -> list[str]:
    """Names of the families of parts."""
    path = root / _ROWS_OF_FAMILIES
    return re.findall(r'\.name = "(\w+)"', path.read_text()) if path.exists() else []


def name_breaches(path: str, text: str, names: list[str]) -> list[str]:
    """One line for each name of a firmware or a family in a literal, help texts included; only their rows, the firmware's
    own files and benchmarks have it."""
    if not names or not path.startswith("platform/") or path.startswith(("platform/firmwares/", _ROWS_OF_FAMILIES)):
        return []
    if any(part in _BESIDE for part in Path(path).parts):
        return []
    name = "|".join(map(re.escape, names))
    literal = re.compile(rf'"((?:{name})(?:\|(?:{name}))*)\\?"')
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        code = line.split("//")[0]
        hits = [match[1] for match in literal.finditer(code) if (path, match[1]) not in _NO_ROWS]
        found += [
            f'{path}:{number}: "{hit}" has a row (firmware_row.h, part_family.h in platform/study); ask that what it is like'
            for hit in hits
        ]
        if _FAMILY_COMPARED.search(code):
            found.append(f"{path}:{number}: a family is compared; ask its row (platform/study/part_family.h) what it is like")
    return found


def check(root: Path) -> list[str]:
    """All breaches of the repository at root."""
    found = []
    names = firmwares_of(root) + families_of(root)
    for path in tree.files(root):
        if path.suffix in (".h", ".cpp", ".hpp", ".cc"):
            text = tree.text_of(root / path)
            if text is not None:
                found += breaches(path.as_posix(), text)
                found += name_breaches(path.as_posix(), text, names)
    return found


def main(arguments: list[str]) -> int:
    return tree.report("include rules", check(tree.root_of(arguments)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
