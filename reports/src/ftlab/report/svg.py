"""Static SVG of a figure, drawn with the light look on a white ground."""

from __future__ import annotations

import functools
import re

import vl_convert

from ftlab.report.blocks import Figure
from ftlab.report.theme import chart_config

# Who looks at the picture may have wider letters than the renderer measured.
PADDING = {"left": 36, "right": 24, "top": 6, "bottom": 6}
VEGA_LITE = "6.4"  # of the specs and of the interactive page; the version that altair writes


def to_svg(figure: Figure) -> str:
    """One SVG document with title and description for people who cannot see it."""
    spec = figure.spec | {"description": f"{figure.title}. {figure.alt}"}
    config = chart_config(dark=False) | {"padding": PADDING}
    svg: str = vl_convert.vegalite_to_svg(spec, vl_version=VEGA_LITE, config=config)
    return _own_ids(svg, figure.name)


def _own_ids(svg: str, name: str) -> str:
    """The renderer numbers ids through its life; here they depend on the figure alone and differ between figures."""
    numbers = {found: f"{name}-{index}" for index, found in enumerate(re.findall(r' id="([^"]+)"', svg))}
    svg = re.sub(r' id="([^"]+)"', lambda match: f' id="{numbers[match[1]]}"', svg)
    return re.sub(r"url\(#([^)]+)\)", lambda match: f"url(#{numbers[match[1]]})", svg)


@functools.cache
def javascript_bundle() -> str:
    """Everything the page needs to draw interactive charts, as one script without imports."""
    bundle: str = vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", vl_version=VEGA_LITE)
    return bundle
