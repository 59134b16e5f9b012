"""The name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name most like the word, None where none is near."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return near[0] if near else None


def meant(word: str, known: Iterable[str]) -> str:
    """ "; did you mean NAME?", or nothing where none is near."""
    near = nearest(word, known)
    return f"; did you mean {near}?" if near else ""
