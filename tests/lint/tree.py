"""Which files a repository check looks at, and how it ends as a program. Knows nothing of what is checked."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

# Directories that are made, not written; only needed where git cannot tell.
_MADE = {"build", "out", "__pycache__", "node_modules"}


def files(root: Path) -> list[Path]:
    """Paths relative to root of all files of the repository: tracked, or new and not ignored."""
    names = _asked_of_git(root)
    if names is None:
        return sorted(_walk(root))
    return sorted(path for path in set(names) if (root / path).is_file())


def _asked_of_git(root: Path) -> list[Path] | None:
    """None where there is no git, or no repository of it."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        asked = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return [Path(os.fsdecode(name)) for name in asked.stdout.split(b"\0") if name]


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _MADE and not name.startswith((".git", ".venv"))]
        for name in names:
            yield (Path(folder) / name).relative_to(root)


def text_of(path: Path) -> str | None:
    """The content, or None for a file that is not text."""
    data = path.read_bytes()
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def root_of(arguments: list[str]) -> Path:
    """The repository that a check is asked to look at: its own unless named."""
    return Path(arguments[0]) if arguments else Path(__file__).resolve().parents[2]


def report(what: str, found: list[str], remarks: list[str] | None = None) -> int:
    """Prints a line per breach and remark, or that the rules hold; the exit status."""
    for line in found + (remarks or []):
        print(line)
    if not found:
        print(f"{what} hold")
    return 1 if found else 0
