"""Tables on the console."""

from __future__ import annotations

from ftlab.text_table import Column, table_text

_COLUMNS = [Column("at", right=True), Column("worked for"), Column("operations")]
_ROWS = [
    ["1.5 s", "clean 6.98 s, host 8.36 ms", "clean: 188 array_read, 7 erase; host: 9 buffer_program"],
    ["20 s", "host"],
]


def test_texts_break_where_the_terminal_ends() -> None:
    assert table_text(_COLUMNS, _ROWS, 60).splitlines() == [
        "   at  worked for               operations",
        "--------------------------------------------------------",
        "1.5 s  clean 6.98 s, host 8.36  clean: 188 array_read, 7",
        "       ms                       erase; host: 9",
        "                                buffer_program",
        " 20 s  host",
    ]


def test_what_fits_or_goes_to_no_terminal_stays_whole() -> None:
    assert table_text(_COLUMNS, _ROWS, 200) == table_text(_COLUMNS, _ROWS)
    assert len(table_text(_COLUMNS, _ROWS).splitlines()) == 4
