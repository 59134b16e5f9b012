"""Folders that the program made for results before this process took its place."""

import contextlib
import os
from pathlib import Path

# platform/files/output_dir.h: "N PATH", the path and what holds it, N folders in all.
_MADE = "FTLAB_MADE_FOLDERS"


def remove_unused() -> None:
    """However this process ends: those in which nothing was put, as the program itself does."""
    count, _, path = os.environ.pop(_MADE, "").partition(" ")
    made = [Path(path), *Path(path).parents][: int(count)] if count.isdecimal() else []
    with contextlib.suppress(OSError):
        for folder in made:
            folder.rmdir()
