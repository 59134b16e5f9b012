"""Tests that need the simulator: the file that FTLAB_PROGRAM names, or the release build of the checkout."""

from __future__ import annotations

import pytest

from ftlab.errors import InputError
from ftlab.program import program


def _missing() -> str:
    try:
        program()
    except InputError as error:
        return str(error)
    return ""


needs_program = pytest.mark.skipif(bool(_missing()), reason=_missing())
