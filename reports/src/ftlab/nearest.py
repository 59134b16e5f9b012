"""The name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """How a message ends that refuses the word: "; did you mean 'NAME'?" with the known name most like it. Where none
    is near, it ends with `otherwise`, which says where the names are."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    if near:
        return f"; did you mean '{near[0]}'?"
    return f"; {otherwise}" if otherwise else ""


def listed(known: Iterable[str]) -> str:
    """All names, for where there are few."""
    return f"there are {', '.join(known) or 'none'}"
