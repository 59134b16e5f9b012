"""How charts look: one Vega-Lite config for the light page and the static SVG, one for the dark page."""

from __future__ import annotations

from typing import Any

from ftlab.report.names import RUN_COLOURS

FONT = "Inter, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"

PAGE_WIDTH = 960  # px; charts are laid out for it, the page scales them to the window


def chart_config(dark: bool) -> dict[str, Any]:
    ink, soft, grid, ground = (
        ("#e6eaf0", "#a3adba", "#333c48", "#151a21") if dark else ("#1c2530", "#5a6675", "#e4e8ed", "#ffffff")
    )
    return {
        "background": ground,
        "font": FONT,
        "padding": 6,
        "view": {"stroke": None},
        "axis": {
            "labelColor": soft,
            "titleColor": soft,
            "gridColor": grid,
            "domainColor": grid,
            "tickColor": grid,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "titlePadding": 10,
            "labelPadding": 6,
            "tickSize": 4,
            "labelLimit": 0,
            "labelOverlap": True,
            "labelFlush": False,
        },
        "axisX": {"grid": True, "domain": False},
        "axisY": {"grid": True, "domain": False},
        "axisBand": {"grid": False, "ticks": False, "labelColor": ink},
        "legend": {
            "labelColor": ink,
            "titleColor": soft,
            "labelFontSize": 12,
            "orient": "top",
            "title": None,
            "symbolType": "square",
            "symbolSize": 110,
            "padding": 0,
            "offset": 14,
            "columnPadding": 18,
            "labelLimit": 0,
        },
        "title": {
            "color": ink,
            "subtitleColor": soft,
            "fontSize": 13,
            "fontWeight": 600,
            "subtitleFontSize": 12,
            "anchor": "start",
            "frame": "group",
            "offset": 8,
        },
        "header": {"labelColor": ink, "labelFontSize": 12, "labelFontWeight": 600, "title": None},
        "text": {"color": ink, "fontSize": 12},
        "rule": {"color": soft},
        "bar": {"cornerRadius": 1.5},
        "line": {"strokeWidth": 2.2},
        "range": {"category": list(RUN_COLOURS)},
    }
