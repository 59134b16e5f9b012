"""A value change dump: of each track whether something goes on, and what, for waveform viewers."""

from __future__ import annotations

import io
from pathlib import Path

from vcd import VCDWriter

from ftlab.explain.events import Track
from ftlab.write import write_whole


def write_vcd(path: Path, tracks: list[Track]) -> None:
    text = io.StringIO()
    # One tick of the simulation.
    with VCDWriter(text, timescale="100 ps", comment="ftlab timeline", date="") as writer:
        changes: list[tuple[int, int, int, str]] = []
        variables = []
        for track in tracks:
            scope = f"{track.group}.{track.name.replace(' ', '_')}"
            busy = writer.register_var(scope, "busy", "wire", size=1, init=0)
            doing = writer.register_var(scope, "doing", "string", init="")
            variables.append((busy, doing))
            # What takes no time has no width in a waveform.
            for one in (one for one in track.slices if one.end > one.begin):
                place = len(variables) - 1
                # An end before a begin of the same moment.
                changes.append((one.begin, 1, place, one.name))
                changes.append((one.end, 0, place, ""))
        for at, is_busy, place, name in sorted(changes, key=lambda change: change[:3]):
            busy, doing = variables[place]
            writer.change(busy, at, is_busy)
            writer.change(doing, at, name)
    write_whole(path, text.getvalue())
