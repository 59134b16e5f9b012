from __future__ import annotations

import pytest

from ftlab import program
from ftlab.errors import InputError
from program import needs_program


@needs_program
def test_program_of_another_version_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = program.listing_with(("key", "former_values"), "keys")
    assert rows
    older = tuple({name: value for name, value in row.items() if name != "former_values"} for row in rows)
    monkeypatch.setattr(program, "listing", lambda _: older)
    assert program.listing_with(("key",), "keys") == older
    with pytest.raises(InputError, match="is of another version than the Python package of ftlab; use both of one"):
        program.listing_with(("key", "former_values"), "keys")
