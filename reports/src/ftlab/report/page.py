"""The page: one HTML file with styles, scripts, data and charts inside. It forbids itself every request."""

from __future__ import annotations

import json
import re
from typing import Any

import jinja2
from markupsafe import Markup, escape

from ftlab.report import headline
from ftlab.report.blocks import Block, Choice, Figure, Prose, Table
from ftlab.report.contents import Report
from ftlab.report.registry import Filled, figures_of
from ftlab.report.svg import javascript_bundle
from ftlab.report.theme import PAGE_WIDTH, chart_config

LONG_WORD = 18  # characters; shorter words stay whole
BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:%|[nµmk]?[JVWs]|h|min|[KMGT]?i?B)(?:/\w+)?(?!\w))")


def _kind(block: Block) -> str:
    return {Figure: "figure", Choice: "choice", Table: "table", Prose: "prose"}[type(block)]


def _json_for_script(value: object) -> Markup:
    """JSON that cannot end the script element it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True, allow_nan=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _script(source: str) -> Markup:
    """Code that stands in a script element; its string literals may hold what would end or nest one."""
    return Markup(source.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def _linked(text: str) -> Markup:
    """Text with its web addresses as links; punctuation behind an address is not part of it."""
    parts = re.split(r"(https?://[^\s<>\"']*[^\s<>\"').,;:!?])", text)
    return Markup("").join(
        Markup('<a href="{0}" rel="noopener noreferrer">{0}</a>').format(part) if index % 2 else escape(part)
        for index, part in enumerate(parts)
    )


def _breakable(text: str) -> Markup:
    """Text in which a word too long for a column may break: behind what joins its parts, or wherever it must. A number
    stays with its unit."""
    words = []
    for word in re.split(r"(\s+)", BEFORE_UNIT.sub("\u00a0", text)):
        parts = re.findall(rf"[^/_.,;:=-]{{1,{LONG_WORD}}}[/_.,;:=-]*|[/_.,;:=-]+", word)
        words.append(Markup("<wbr>").join(parts) if len(word) > LONG_WORD else escape(word))
    return Markup("").join(words)


def _headings(table: Table) -> list[str]:
    """Of each column, with the line above it: what a cell says of itself where its row is a block of its own."""
    above = [title for title, span in table.groups for _ in range(span)] or [""] * len(table.columns)
    return [" · ".join(filter(None, (group, column.title))) for group, column in zip(above, table.columns, strict=True)]


def _charts(filled: list[Filled]) -> dict[str, Any]:
    return {figure.name: {"spec": figure.spec, "reserve": figure.reserve} for figure in figures_of(filled)}


def _label(figure: Figure) -> str:
    """For those who do not see it."""
    return f"{figure.title}. {figure.alt}"


def _choices(filled: list[Filled]) -> dict[str, Any]:
    """The pairs of each choice: what is picked, and what is shown then."""
    return {
        block.name: [
            {
                "x": pair.x,
                "y": pair.y,
                "chart": pair.figure.name,
                "label": _label(pair.figure),
                "caption": pair.figure.caption,
            }
            for pair in block.pairs
        ]
        for item in filled
        for block in item.blocks
        if isinstance(block, Choice)
    }


def render(report: Report, filled: list[Filled], svgs: dict[str, str]) -> str:
    """`svgs`: static picture of each figure by name, shown where scripts do not run."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("ftlab.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.tests["figure"] = lambda block: _kind(block) == "figure"
    environment.tests["table"] = lambda block: _kind(block) == "table"
    environment.tests["choice"] = lambda block: _kind(block) == "choice"
    environment.filters["label"] = _label
    environment.filters["linked"] = _linked
    environment.filters["headings"] = _headings
    environment.filters["breakable"] = _breakable
    loader = environment.loader
    assert loader is not None
    style, *scripts = (
        loader.get_source(environment, name)[0] for name in ("style.css", "kept.js", "focus.js", "fit.js", "page.js")
    )
    settings = {
        "width": PAGE_WIDTH,
        "charts": _charts(filled),
        "choices": _choices(filled),
        "light": chart_config(dark=False),
        "dark": chart_config(dark=True),
    }
    return environment.get_template("page.html.j2").render(
        report=report,
        cards=headline.cards(report),
        filled=filled,
        svgs={name: Markup(svg) for name, svg in svgs.items()},
        style=Markup(style),
        bundle=_script(javascript_bundle()) if settings["charts"] else Markup(""),
        scripts=[_script(script) for script in scripts],
        settings=_json_for_script(settings),
    )
