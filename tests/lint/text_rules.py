#!/usr/bin/env python3
"""Enforces short files and neutral wording: nothing of one machine, nothing unfinished.

Usage: text_rules.py [ROOT]. Prints one line per breach and exits 1 when there is one; a file above the soft limit is
only named. Standard library only.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tree  # noqa: E402

SOFT_LIMIT = 400
HARD_LIMIT = 500
_CODE = {".h", ".hpp", ".cpp", ".cc", ".py", ".sh", ".cmake", ".js", ".css", ".ts"}
_CODE_NAMES = {"CMakeLists.txt", "ftlab", "run"}

# Written so that this file does not match itself.
_WORDS = (
    (re.compile(r"(?<![\w.>})])/(?:home|work|root|Users)/[\w.]"), "a path of one machine"),
    (re.compile(r"\b(?:files\.pythonhosted|pypi|registry\.npmjs|index\.crates|static\.crates|proxy\.golang)\.(?:org|io)\b"),
     "the address of a package registry"),
    (re.compile(r"\b(?:TO[D]O|FIX[M]E|X[X]X)\b"), "an unfinished-work mark"),
    (re.compile(r"\.\./shar[e]d\b"), "a place outside the repository"),
)
# Continuous integration is the one place that may know where real traces lie beside the checkout.
_MAY_LOOK_OUTSIDE = {".ci/run"}
# Somebody else's text, kept as it is.
_VERBATIM = {"LICENSE"}


def breaches(path: str, text: str) -> tuple[list[str], list[str]]:
    """(breaches, remarks) of the file at this repository path."""
    found, remarks = [], []
    lines = text.splitlines()
    file = Path(path)
    if (file.suffix in _CODE or file.name in _CODE_NAMES) and "vendor" not in file.parts:
        if len(lines) > HARD_LIMIT:
            found.append(f"{path}: {len(lines)} lines; split it (limit {HARD_LIMIT})")
        elif len(lines) > SOFT_LIMIT:
            remarks.append(f"{path}: {len(lines)} lines; consider splitting it (soft limit {SOFT_LIMIT})")
    if path in _VERBATIM:
        return found, remarks
    for number, line in enumerate(lines, start=1):
        for pattern, what in _WORDS:
            outside = what == "a place outside the repository" and path in _MAY_LOOK_OUTSIDE
            match = pattern.search(line)
            if match and not outside:
                found.append(f"{path}:{number}: {what}: {match.group(0)}")
    return found, remarks


def check(root: Path) -> tuple[list[str], list[str]]:
    """(breaches, remarks) of the repository at root."""
    found, remarks = [], []
    for path in tree.files(root):
        text = tree.text_of(root / path)
        if text is not None:
            more_found, more_remarks = breaches(path.as_posix(), text)
            found += more_found
            remarks += more_remarks
    return found, remarks


def main(arguments: list[str]) -> int:
    found, remarks = check(tree.root_of(arguments))
    return tree.report("text rules", found, remarks)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
