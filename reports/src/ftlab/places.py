"""What stands where a file or a folder is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ftlab.errors import InputError, echo


def refuse_special(path: Path, hint: str) -> None:
    """Raises InputError for what is there and no file: a pipe may never begin, and a device never end."""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "a pipe or a device"
        raise InputError(f"{path}: is {what}, and no file; {hint}")


def path_of(given: Any, name: str, what: str) -> Path:
    """Of an argument of that name; `what` it should name. Raises InputError for what is no path, or leads nowhere."""
    refusal = f"{name}={echo(given)}: is no {what}; give the path of one"
    try:
        if not (isinstance(given, str | Path) and str(given) and "\0" not in str(given) and str(given).encode()):
            raise InputError(refusal)
        path = Path(given)
        path.exists()  # of a name too long, or behind a folder that is closed, the system says no
    except UnicodeEncodeError:
        raise InputError(refusal) from None
    except OSError as error:
        raise InputError(f"{name}={echo(given)}: cannot be reached ({error.strerror}); give another path") from None
    return path


def folder_of(given: Any, name: str) -> Path:
    """Of an argument of that name. Raises InputError for what is no path, or leads nowhere."""
    return path_of(given, name, "folder")
