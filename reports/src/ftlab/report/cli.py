"""The command line: a directory in, the page and its figures out."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from pathlib import Path

from ftlab.arguments import Parser
from ftlab.report.blocks import Figure
from ftlab.report.load import load_report
from ftlab.report.page import render
from ftlab.report.registry import fill
from ftlab.report.svg import to_svg
from ftlab.write import write_whole


def _parser() -> Parser:
    parser = Parser(
        prog="ftlab report", description="Draws result files as one HTML page that needs no network, and SVG figures."
    )
    parser.add_argument("directory", metavar="DIR", type=Path, help="holds result.json, study.json or reproduce.json")
    parser.add_argument(
        "--out", metavar="FILE", type=Path, help="the page (default: DIR/report.html); figures go to a folder beside it"
    )
    parser.add_argument("--open", action="store_true", help="show the page in the browser")
    return parser


def make_report(directory: Path, out: Path) -> list[Path]:
    """Writes the page and one SVG for each figure; returns what was written, the page first."""
    report = load_report(directory)
    filled = fill(report)
    svgs = {block.name: to_svg(block) for item in filled for block in item.blocks if isinstance(block, Figure)}
    page = render(report, filled, svgs)
    written = [out]
    write_whole(out, page)
    for name, svg in svgs.items():
        path = out.parent / "figures" / f"{name}.svg"
        write_whole(path, svg)
        written.append(path)
    return written


def main(arguments: Sequence[str]) -> int:
    options = _parser().read(arguments)
    out: Path = options.out or options.directory / "report.html"
    written = make_report(options.directory, out)
    print(f"Page     {written[0]}")
    if len(written) > 1:
        print(f"Figures  {len(written) - 1} in {written[1].parent}")
    if options.open:
        webbrowser.open(out.resolve().as_uri())
    return 0
