"""How far a sweep is, on a terminal."""

from __future__ import annotations

import pytest

from ftlab.sweeps.progress import SweepProgress


@pytest.mark.parametrize(("points", "seeds", "begin"), [(1, 1, "1 point "), (6, 2, "6 points of 2 seeds ")])
def test_no_end_is_shown_before_it_is_known(
    points: int, seeds: int, begin: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with SweepProgress(points, seeds, quiet=False) as line:
        line.record(0, points * seeds, None)
    shown = capsys.readouterr().err
    assert begin in shown
    assert f"0/{points * seeds}" in shown
    assert "/100" not in shown
