"""What stands where a file or a folder is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ftlab.errors import InputError


def refuse_special(path: Path, hint: str) -> None:
    """Raises InputError for what is there and no file: a pipe may never begin, and a device never end."""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise InputError(f"{path}: is {what}, and no file; {hint}")


def folder_of(given: Any, name: str) -> Path:
    """Of an argument of that name. Raises InputError for what is no path."""
    try:
        if isinstance(given, str | Path) and str(given) and "\0" not in str(given) and str(given).encode():
            return Path(given)
    except UnicodeEncodeError:
        pass
    raise InputError(f"{name}={given!r}: is no folder; give the path of one")
