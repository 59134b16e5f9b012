#!/usr/bin/env python3
"""Runs the marked command blocks of Markdown documents and compares what they print with what the document shows.

Usage: readme_examples.py FILE.md... Standard library only. Knows nothing of ftlab's commands.

How a document marks what is run:

    <!-- run -->                      the next fenced block holds shell commands ("$ " prompts are dropped)
    <!-- run: exit=2 timeout=300 -->  the last command ends with status 2 (default 0); seconds allowed (default 120)
    <!-- output -->                   the next fenced block is what the commands printed (both streams)
    <!-- output: some -->             its lines appear in what was printed, in this order; others may stand between
    <!-- names of: COMMAND -->        the next paragraph has in `backticks` just the names that COMMAND lists: the first
                                      word of each line below a rule of dashes, or of each line where there is no rule
    <!-- rows of: COMMAND -->         the rows of the next table begin with just these names

In an output block a line `...` stands for any lines, and `...` inside a line for any text; trailing blanks do not
count. Blocks without a mark are not run. The blocks of one document run in order, in one scratch directory that looks
like the repository (links to its entries), so that a command may leave files behind for the next one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

_MARK = re.compile(r"^\s*<!--\s*(?P<kind>run|output)\s*(?::\s*(?P<options>.*?))?\s*-->\s*$")
_NAMES = re.compile(r"^\s*<!--\s*(?P<kind>names|rows) of:\s*(?P<command>.+?)\s*-->\s*$")
_FENCE = re.compile(r"^\s*(?P<fence>```+|~~~+)")


@dataclass
class Example:
    """A block of commands, and what they shall print when the document shows it."""

    line: int
    commands: str
    status: int = 0
    timeout_s: float = 120
    output: str | None = None
    some: bool = False
    names: frozenset[str] | None = None


class DocumentError(Exception):
    """The document's own fault: a mark without a block, an unknown option."""


def examples_of(text: str) -> list[Example]:
    """The marked blocks of a document, in order."""
    found: list[Example] = []
    mark: tuple[int, str, str] | None = None
    lines = text.splitlines()
    index = 0
    while index < len(lines):
        line = lines[index]
        marked, fence, listed = _MARK.match(line), _FENCE.match(line), _NAMES.match(line)
        if listed:
            end = next((i for i in range(index + 1, len(lines)) if not lines[i].strip()), len(lines))
            shown = lines[index + 1 : end]
            names = _first_cells(shown) if listed["kind"] == "rows" else _backticked("\n".join(shown))
            if not names:
                raise DocumentError(f"line {index + 1}: no names follow the mark")
            found.append(Example(index + 1, listed["command"], names=names))
            index = end
        elif marked:
            mark = (index + 1, marked["kind"], marked["options"] or "")
        elif fence:
            end = next((i for i in range(index + 1, len(lines)) if lines[i].strip() == fence["fence"]), None)
            if end is None:
                raise DocumentError(f"line {index + 1}: the block is never closed")
            if mark:
                _add(found, mark, "\n".join(lines[index + 1 : end]))
            mark = None
            index = end
        elif line.strip() and mark:
            raise DocumentError(f"line {mark[0]}: no code block follows the mark")
        index += 1
    if mark:
        raise DocumentError(f"line {mark[0]}: no code block follows the mark")
    return found


def _backticked(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"`([^`\s]+)`", text))


def _first_cells(table: list[str]) -> frozenset[str]:
    """The names that rows of a table begin with, below its heading."""
    return frozenset().union(*(_backticked(row.split("|")[1]) for row in table[2:] if row.count("|") > 1))


def listed_names(printed: str) -> frozenset[str]:
    """The first word of each line below the first rule of dashes, or of all lines."""
    lines = printed.splitlines()
    rule = next((i for i, line in enumerate(lines) if re.fullmatch(r"-{3,}", line.strip())), -1)
    return frozenset(line.split()[0] for line in lines[rule + 1 :] if line.strip() and not line.startswith("---"))


def _add(found: list[Example], mark: tuple[int, str, str], block: str) -> None:
    line, kind, options = mark
    if kind == "output":
        if not found or found[-1].output is not None:
            raise DocumentError(f"line {line}: an output without commands before it")
        if options not in ("", "some"):
            raise DocumentError(f"line {line}: unknown option '{options}'; known: some")
        found[-1].output, found[-1].some = block, options == "some"
        return
    example = Example(line, re.sub(r"^\$ ", "", block, flags=re.MULTILINE))
    for option in options.split():
        name, _, value = option.partition("=")
        if name == "exit" and value.isdigit():
            example.status = int(value)
        elif name == "timeout" and value.isdigit():
            example.timeout_s = float(value)
        else:
            raise DocumentError(f"line {line}: unknown option '{option}'; known: exit=N timeout=SECONDS")
    found.append(example)


def matches(shown: str, printed: str, some: bool) -> bool:
    """Whether printed is what the document shows."""
    wanted = [line.rstrip() for line in shown.strip("\n").splitlines()]
    pattern = []
    for line in wanted:
        if line.strip() == "...":
            pattern.append(r"(?:[^\n]*\n)*?")
        else:
            words = r"[^\n]*?".join(re.escape(part) for part in line.split("..."))
            pattern.append((r"(?:[^\n]*\n)*?" if some else "") + words + r"\n")
    whole = "".join(pattern) + (r"(?:[^\n]*\n)*" if some else "")
    actual = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines()) + "\n"
    return re.fullmatch(whole, actual) is not None


def run(example: Example, folder: Path) -> str | None:
    """What is wrong with the example, or None."""
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "120"}
    # A reader has no traces at hand.
    environment.pop("FTLAB_TRACE_DIR", None)
    try:
        done = subprocess.run(
            ["sh", "-e", "-c", example.commands],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=example.timeout_s,
            check=False,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return f"not done after {example.timeout_s:g} s"
    if done.returncode != example.status:
        return f"ended with {done.returncode}, not {example.status}, and printed:\n{done.stdout}"
    if example.names is not None and example.names != listed_names(done.stdout):
        missing, extra = listed_names(done.stdout) - example.names, example.names - listed_names(done.stdout)
        return f"lists other names than the document; not in it: {sorted(missing)}, only in it: {sorted(extra)}"
    if example.output is not None and not matches(example.output, done.stdout, example.some):
        return f"printed:\n{done.stdout}\nbut the document shows:\n{example.output}"
    return None


def furnish(folder: Path, root: Path) -> None:
    """Makes folder look like the repository, without letting examples write into the real one's top level."""
    for entry in root.iterdir():
        if entry.name not in ("ftlab", "build", ".git"):
            (folder / entry.name).symlink_to(entry)
    if (root / "ftlab").exists():
        (folder / "ftlab").write_text(f'#!/bin/sh\nFTLAB_COMMAND=$0 exec "{root}/ftlab" "$@"\n')
        (folder / "ftlab").chmod(0o755)


def check(document: Path, root: Path) -> list[str]:
    """One entry per example of the document that does not hold. Later examples run nevertheless."""
    try:
        examples = examples_of(document.read_text(encoding="utf-8"))
    except (DocumentError, OSError) as error:
        return [f"{document.name}: {error}"]
    wrong = []
    with tempfile.TemporaryDirectory() as scratch:
        furnish(Path(scratch), root)
        for example in examples:
            problem = run(example, Path(scratch))
            print(f"{document.name}:{example.line}: {'ok' if problem is None else 'WRONG'}", flush=True)
            if problem is not None:
                wrong.append(f"{document.name}:{example.line}: {example.commands}\n{problem}")
    if not examples:
        wrong.append(f"{document.name}: no command block is marked <!-- run -->")
    return wrong


def main(arguments: list[str]) -> int:
    root = Path(__file__).resolve().parents[2]
    wrong = [problem for name in arguments for problem in check(Path(name), root)]
    print("\n".join(wrong) if wrong else "the documents hold")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
