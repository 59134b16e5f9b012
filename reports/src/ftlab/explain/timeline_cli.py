"""`ftlab timeline`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from ftlab.arguments import Parser
from ftlab.errors import InputError
from ftlab.explain.events import tracks_of
from ftlab.explain.repeat import repeated, result_file
from ftlab.report import units

_DESCRIPTION = "A run for trace viewers: requests, operations by die and by cause, the bus. Simulates it again."
_EXAMPLES = """examples:
  ftlab timeline out/study                       out/study/timeline.pftrace, for https://ui.perfetto.dev
  ftlab timeline out/study --format vcd          out/study/timeline.vcd, for waveform viewers
  ftlab timeline out/study --from 10 --to 12.5   two and a half seconds of it

exit status: 0 done, 2 wrong input"""
_FORMATS = {"perfetto": ".pftrace", "vcd": ".vcd"}


def _parser() -> Parser:
    parser = Parser("ftlab timeline", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("place", metavar="DIR", type=Path, help="folder of a result, or a result.json")
    parser.add_argument("--format", metavar="FORMAT", default="perfetto", help="perfetto (default) or vcd")
    parser.add_argument("--out", metavar="FILE", help="default: timeline.pftrace or timeline.vcd beside the result")
    parser.add_argument(
        "--from", metavar="S", type=float, default=0.0, dest="from_s", help="seconds of simulated time (default: 0)"
    )
    parser.add_argument("--to", metavar="S", type=float, default=math.inf, dest="to_s", help="default: the end")
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    if options.format not in _FORMATS:
        raise InputError(f"--format {options.format}: is none of {', '.join(_FORMATS)}")
    if not 0 <= options.from_s < options.to_s:
        raise InputError(f"--from {options.from_s:g} --to {options.to_s:g}: must be a span of time from 0 on")
    if options.out == "":
        raise InputError("--out: must not be empty; name a file")
    beside = result_file(options.place).parent / f"timeline{_FORMATS[options.format]}"
    out = beside if options.out is None else Path(options.out)
    if out != beside and out.exists() and out.suffix != _FORMATS[options.format]:
        raise InputError(f"--out {out}: exists and is no *{_FORMATS[options.format]}; name another file")
    with repeated(options.place) as record:
        tracks = tracks_of(record, options.from_s, options.to_s)
    slices = sum(len(track.slices) for track in tracks)
    if slices == 0:
        raise InputError(f"--from {options.from_s:g} --to {options.to_s:g}: nothing happens there")
    if options.format == "perfetto":
        from ftlab.explain.perfetto_file import write_perfetto

        write_perfetto(out, tracks)
    else:
        from ftlab.explain.vcd_file import write_vcd

        write_vcd(out, tracks)
    print(f"{out}: {units.count(slices)} slices on {len(tracks)} tracks")
    return 0
