"""Writes files so that each is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ftlab.errors import InputError


def check_folder(folder: Path) -> None:
    """Makes it, so that long runs do not end in vain. Raises InputError where nothing can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"--out {folder}: cannot be made ({error.strerror}); choose another folder") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"--out {folder}: cannot be written; choose another folder")


def write_whole(path: Path, content: str | bytes) -> None:
    """Text as UTF-8. Raises InputError with one line when the place cannot be written or the disk is full."""
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: is no file that could be replaced; name another one")
    scratch: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        Path(scratch).chmod(0o644)
        Path(scratch).replace(path)
    except BaseException as error:
        if scratch is not None:
            with contextlib.suppress(OSError):
                Path(scratch).unlink()
        if not isinstance(error, OSError):
            raise
        raise InputError(f"{path}: cannot be written ({error.strerror}); free space or choose another --out") from None
