"""What stands where a file is meant."""

from __future__ import annotations

from pathlib import Path

from ftlab.errors import InputError


def refuse_special(path: Path, hint: str) -> None:
    """Raises InputError for what is there and no file: a pipe may never begin, and a device never end."""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise InputError(f"{path}: is {what}, and no file; {hint}")
