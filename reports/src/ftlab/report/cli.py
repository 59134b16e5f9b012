"""The command line: folders in, the page and its figures out."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from pathlib import Path

from ftlab.arguments import Parser, given_path
from ftlab.errors import InputError
from ftlab.report.figures.draw import unchecked
from ftlab.report.load import load_report
from ftlab.report.page import render
from ftlab.report.registry import figures_of, fill
from ftlab.report.svg import to_svg
from ftlab.write import write_whole

_EXAMPLES = """examples:
  ftlab report out/study                                the page of a run, a sweep, a reproduction
  ftlab report out/greedy out/cat --baseline cat        several folders on one page
  ftlab report out/study --open                         shown in the browser

exit status: 0 done, 2 wrong input"""
_HEAD = b"<!doctype html"


def _parser() -> Parser:
    parser = Parser(
        prog="ftlab report",
        description="Draws result files as one HTML page that needs no network, and SVG figures.",
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "directories",
        metavar="DIR",
        type=given_path,
        nargs="+",
        help="holds result.json, study.json, sweep.json or reproduce.json; of several, all runs are on one page",
    )
    parser.add_argument(
        "--out",
        metavar="FILE",
        type=given_path,
        help="the page, .html unless its name ends otherwise (default: report.html in the first DIR); figures go to a "
        "folder beside it",
    )
    parser.add_argument(
        "--baseline", metavar="LABEL", default="", help="run that the others are compared with (default: the first)"
    )
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")
    return parser


def _refuse_other_file(out: Path) -> None:
    """Raises InputError for what is there and no page: a study, say, or a result."""
    if not out.is_file():
        return
    with out.open("rb") as file:
        head = file.read(len(_HEAD))
    if head and head.lower() != _HEAD:
        raise InputError(f"{out}: is there already, and is no page; name another file with --out")


def make_report(directories: Sequence[Path], out: Path, baseline: str = "") -> list[Path]:
    """Writes the page and one SVG for each figure; returns what was written, the page first."""
    _refuse_other_file(out)
    report = load_report(*directories, baseline=baseline)
    with unchecked():
        filled = fill(report)
    svgs = {figure.name: to_svg(figure) for figure in figures_of(filled)}
    page = render(report, filled, svgs)
    written = [out]
    write_whole(out, page)
    for name, svg in svgs.items():
        path = out.parent / "figures" / f"{name}.svg"
        write_whole(path, svg)
        written.append(path)
    return written


def _page(out: Path) -> Path:
    """A browser shows the source of a page whose name has no ending."""
    return out if out.suffix or not out.name or out.is_dir() else out.with_name(f"{out.name}.html")


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    out: Path = _page(options.out or options.directories[0] / "report.html")
    written = make_report(options.directories, out, options.baseline)
    if not options.quiet:
        print(f"Page     {written[0]}")
        if len(written) > 1:
            print(f"Figures  {len(written) - 1} in {written[1].parent}")
    if options.open:
        webbrowser.open(out.resolve().as_uri())
    return 0
