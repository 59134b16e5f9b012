"""The name that was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

# Of difflib's ratio: "title" is not nearly "idle", but "cta" is "cat".
_NEAR = 0.7
_NEAR_OF_SHORT = 0.6
_SHORT = 4  # letters


def meant(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """How a message ends that refuses the word: "; did you mean 'NAME'?" with the known name most like it. Where none
    is near, it ends with `otherwise`, which says where the names are."""
    near = _nearest(word, list(known))
    if near:
        return f"; did you mean '{near}'?"
    return f"; {otherwise}" if otherwise else ""


def _table_of(name: str) -> str:
    """With its dot; a number has none."""
    return "" if name[:1].isdigit() else name[: name.rfind(".") + 1]


def _nearest(word: str, known: list[str]) -> str:
    """Within a table its name, which is right, makes no key nearer."""
    table = _table_of(word)
    beside = {name[len(table) :]: name for name in known if _table_of(name) == table}
    elsewhere = {name: name for name in known if name not in beside.values()}
    for names, wanted in ((beside, word[len(table) :]), (elsewhere, word)):
        cutoff = _NEAR_OF_SHORT if len(wanted) <= _SHORT else _NEAR
        near = difflib.get_close_matches(wanted, list(names), n=1, cutoff=cutoff)
        if near:
            return names[near[0]]
    return ""


def listed(known: Iterable[str]) -> str:
    """All names, for where there are few."""
    return f"there are {', '.join(known) or 'none'}"
