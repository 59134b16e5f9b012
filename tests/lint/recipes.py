#!/usr/bin/env python3
"""Compiles the code of recipes as a document prints it.

Usage: recipes.py DOCUMENT.md ROOT COMPILER [OPTION...]. Standard library only.

What a document marks, on the line before a fenced block:

    <!-- file: PATH -->               the block is a whole new file of the tree
    <!-- in: PATH after: TEXT -->     the block's lines follow the last line of that file which contains TEXT

The changed files lie in a folder of their own that the compiler searches before ROOT. Every new file and every changed
one that compiles by itself is compiled, lists (`.inc`) by way of the sources that include them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_MARK = re.compile(r"^\s*<!-- (?:file: (?P<file>\S+)|in: (?P<into>\S+) after: (?P<after>.+?)) -->\s*$")
_FENCE = re.compile(r"^(?P<indent>\s*)```")


class DocumentError(Exception):
    """The document's own fault."""


def blocks_of(text: str) -> list[tuple[re.Match[str], str]]:
    """Each mark with the text of its block, without the indentation of a list."""
    found = []
    lines = text.splitlines()
    for number, line in enumerate(lines):
        mark = _MARK.match(line)
        if mark is None:
            continue
        fence = _FENCE.match(lines[number + 1]) if number + 1 < len(lines) else None
        if fence is None:
            raise DocumentError(f"line {number + 1}: no block follows the mark")
        indent = len(fence["indent"])
        block = []
        for body in lines[number + 2 :]:
            if body.strip() == "```":
                break
            block.append(body[indent:] if body.strip() else "")
        found.append((mark, "\n".join(block) + "\n"))
    return found


def insert_after(text: str, after: str, block: str) -> str:
    lines = text.splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if after in line]
    if not places:
        raise DocumentError(f"no line contains '{after}'")
    lines.insert(places[-1] + 1, block)
    return "".join(lines)


def write_tree(document: str, root: Path, tree: Path) -> list[str]:
    """Files of the recipes in `tree`; their paths."""
    written: list[str] = []
    for mark, block in blocks_of(document):
        path = mark["file"] or mark["into"]
        target = tree / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if mark["file"]:
            if (root / path).exists():
                raise DocumentError(f"{path} is there already")
            target.write_text(block)
        else:
            before = target if target.exists() else root / path
            target.write_text(insert_after(before.read_text(), mark["after"], block))
        if path not in written:
            written.append(path)
    return written


def sources_of(written: list[str], root: Path) -> list[str]:
    """What the compiler is given: the files themselves, and the sources of lists."""
    found = []
    for path in written:
        if path.endswith(".inc"):
            listed = subprocess.run(["grep", "-rl", "--include=*.cpp", "--include=*.h", f'"{path}"', str(root / "firmware")],
                                    capture_output=True, text=True, check=False).stdout.split()
            if not listed:
                raise DocumentError(f"nothing includes {path}")
            found += listed
        else:
            found.append(path)
    return list(dict.fromkeys(found))


def main(arguments: list[str]) -> int:
    if len(arguments) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    root = Path(arguments[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        try:
            written = write_tree(Path(arguments[0]).read_text(), root, tree)
            sources = sources_of(written, root)
        except DocumentError as error:
            print(f"{arguments[0]}: {error}")
            return 1
        if not written:
            print(f"{arguments[0]}: no recipe is marked")
            return 1
        # Each by way of a source that includes it as others do, so that a changed file is taken before the tree's.
        for number, source in enumerate(sources):
            name = str(Path(source).relative_to(root)) if Path(source).is_absolute() else source
            (tree / f"recipe{number}.cpp").write_text(f'#include "{name}"\n')
        given = [str(tree / f"recipe{number}.cpp") for number in range(len(sources))]
        done = subprocess.run([*arguments[2:], "-fsyntax-only", f"-I{tree}", f"-I{root}", *given], check=False)
        if done.returncode != 0:
            print(f"{arguments[0]}: a recipe does not compile as printed")
            return 1
    print(f"{len(written)} files of recipes compile as printed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
