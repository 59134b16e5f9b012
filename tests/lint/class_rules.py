#!/usr/bin/env python3
"""Enforces that no class is spread over more than two source files: a third one is a duty that wants its own object.

Usage: class_rules.py [ROOT]. Prints one line per breach and exits 1 when there is one. Reads definitions of members
outside their class, in formatted C++ (what is not indented begins a definition). Standard library only.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import tree  # noqa: E402

LIMIT = 2
_SOURCES = {".cpp", ".cc"}
_NAMESPACE = re.compile(r"^(?:inline )?namespace(?: ([\w:]+))? \{")
_NAMESPACE_END = re.compile(r"^\}  // namespace(?: [\w:]+)?$")
# The last qualified name before the first bracket; what stands before it is the result's type.
_MEMBER = re.compile(r"^(?!\s|namespace|using|#|//|static_assert)(?:[^()=;]*[\s&*>])?((?:\w+(?:<[^()]*>)?::)+)(~?\w+|operator[^(]*)\(")


def members(text: str) -> Iterator[tuple[str, bool]]:
    """(class with its namespaces, whether the namespace has no name) of each member defined in this text."""
    open_namespaces: list[str] = []
    for line in text.splitlines():
        if begins := _NAMESPACE.match(line):
            open_namespaces.append(begins.group(1) or "")
        elif _NAMESPACE_END.match(line):
            if open_namespaces:
                open_namespaces.pop()
        elif found := _MEMBER.match(line):
            name = re.sub(r"<.*?>", "", found.group(1)).removesuffix("::")
            # Functions of a namespace are qualified, too; classes begin with a capital letter here.
            if name.rsplit("::", 1)[-1][:1].isupper():
                yield "::".join([*(n for n in open_namespaces if n), name]), "" in open_namespaces


def breaches(sources: Iterable[tuple[str, str]]) -> list[str]:
    """Breaches of (repository path, text) of all sources together."""
    files: dict[str, set[str]] = defaultdict(set)
    for path, text in sources:
        for name, hidden in members(text):
            files[f"{path}: {name}" if hidden else name].add(path)
    return [
        f"{name}: in {len(paths)} source files ({', '.join(sorted(paths))}); give a duty its own class (limit {LIMIT})"
        for name, paths in sorted(files.items())
        if len(paths) > LIMIT
    ]


def sources(root: Path) -> Iterator[tuple[str, str]]:
    for path in tree.files(root):
        if path.suffix in _SOURCES and (text := tree.text_of(root / path)) is not None:
            yield path.as_posix(), text


def main(arguments: list[str]) -> int:
    return tree.report("class rules", breaches(sources(tree.root_of(arguments))))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
