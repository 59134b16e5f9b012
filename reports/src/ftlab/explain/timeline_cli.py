"""`ftlab timeline`."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from pathlib import Path

from ftlab import interrupts
from ftlab.arguments import Parser, given_path
from ftlab.errors import InputError
from ftlab.explain.events import tracks_of
from ftlab.explain.repeat import add_settings, operations_of, repeated, result_file
from ftlab.report import units
from ftlab.result import Result, read_result

_DESCRIPTION = "A run for trace viewers: requests, operations by die and by cause, the bus. Simulates it again."
_EXAMPLES = """examples:
  ftlab timeline out/study                       out/study/timeline.pftrace, for https://ui.perfetto.dev
  ftlab timeline out/study --format vcd          out/study/timeline.vcd, for waveform viewers
  ftlab timeline out/study --from 10 --to 12.5   two and a half seconds of it

Times are seconds of the measured phase, as the page of the run has them.

exit status: 0 done, 2 wrong input"""
_FORMATS = {"perfetto": ".pftrace", "vcd": ".vcd"}
_MANY = 250_000  # operations: viewers take more of them unwillingly


def _parser() -> Parser:
    parser = Parser("ftlab timeline", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("place", metavar="DIR", type=given_path, help="folder of a result, or a result.json")
    parser.add_argument("--format", metavar="FORMAT", default="perfetto", help="perfetto (default) or vcd")
    parser.add_argument("--out", metavar="FILE", help="default: timeline.pftrace or timeline.vcd beside the result")
    parser.add_argument(
        "--from", metavar="S", type=float, default=0.0, dest="from_s", help="begin, in seconds (default: 0)"
    )
    parser.add_argument(
        "--to",
        metavar="S",
        type=float,
        dest="to_s",
        help=f"end (default: the run's, or that of about {units.count(_MANY)} operations)",
    )
    add_settings(parser)
    return parser


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    if options.format not in _FORMATS:
        raise InputError(f"--format {options.format}: is none of {', '.join(_FORMATS)}")
    if options.out == "":
        raise InputError("--out: must not be empty; name a file")
    beside = result_file(options.place).parent / f"timeline{_FORMATS[options.format]}"
    out = beside if options.out is None else Path(options.out)
    if out != beside and out.exists() and out.suffix != _FORMATS[options.format]:
        raise InputError(f"--out {out}: exists and is no *{_FORMATS[options.format]}; name another file")
    if out.exists():
        interrupts.say(f"nothing was written, {out} is as it was before; the same command starts anew")
    from_s, to_s = _span(options.from_s, options.to_s, read_result(result_file(options.place)))
    with repeated(options.place, span_s=(from_s, to_s), settings=options.settings) as record:
        tracks = tracks_of(record, from_s, to_s)
    slices = sum(len(track.slices) for track in tracks)
    if slices == 0:
        raise InputError(f"--from {from_s:g} --to {to_s:g}: nothing happens there")
    if options.format == "perfetto":
        from ftlab.explain.perfetto_file import write_perfetto

        write_perfetto(out, tracks)
    else:
        from ftlab.explain.vcd_file import write_vcd

        write_vcd(out, tracks)
    interrupts.say(f"written: {out}")
    print(f"{out}: {units.count(slices)} slices on {len(tracks)} tracks")
    return 0


def _span(from_s: float, to_s: float | None, result: Result) -> tuple[float, float]:
    """Raises InputError for what is no span of the run. A note says so where a run has more than is shown."""
    end_s = float(result.json["time"]["simulated_s"])
    if not 0 <= from_s < (math.inf if to_s is None else to_s):
        given = "" if to_s is None else f" --to {to_s:g}"
        raise InputError(f"--from {from_s:g}{given}: must be a span of time from 0 on")
    if from_s > end_s:
        raise InputError(f"--from {from_s:g}: the measured phase of the run ends at {end_s:g} s; give less")
    operations = operations_of(result)
    if to_s is not None or operations * (1 - from_s / end_s) <= _MANY:
        return from_s, math.inf if to_s is None else to_s
    shown_s = from_s + end_s * _MANY / operations
    print(
        f"ftlab: note: the run has {units.count(operations)} operations in {end_s:g} s; this is what happens from "
        f"{from_s:g} s to {shown_s:g} s, and --from and --to choose",
        file=sys.stderr,
    )
    return from_s, shown_s
