"""Writes files so that each is there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ftlab.errors import InputError


def write_whole(path: Path, content: str | bytes) -> None:
    """Text as UTF-8. Raises InputError with one line when the place cannot be written or the disk is full."""
    scratch: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        Path(scratch).chmod(0o644)
        Path(scratch).replace(path)
    except OSError as error:
        if scratch is not None:
            with contextlib.suppress(OSError):
                Path(scratch).unlink()
        raise InputError(f"{path}: cannot be written ({error.strerror}); free space or choose another --out") from None
