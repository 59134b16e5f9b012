"""A stacked horizontal bar for each row, split by kind: shared by the figures of time and energy."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from ftlab.report import names
from ftlab.report.figures.draw import AnyChart, Record, data, focus, focus_opacity
from ftlab.report.figures.labels import Names
from ftlab.report.theme import PAGE_WIDTH
from ftlab.report.units import significant

ROW_HEIGHT = 40
TOTALS_WIDTH = 20


@dataclass(frozen=True)
class Bar:
    """`label` names the row; parts that are 0 everywhere are left out by the caller's choice of kinds."""

    label: str
    parts: dict[str, float]


def _names(bars: list[Bar]) -> Names:
    return Names(tuple(bar.label for bar in bars))


def reserve_of(bars: list[Bar]) -> int:
    """Width in px that the names of the rows take."""
    return _names(bars).width + TOTALS_WIDTH


def kinds_of(bars: list[Bar], known: dict[str, tuple[str, str]]) -> list[str]:
    """Kinds that are not 0 in every bar, in their usual order."""
    return names.ordered({kind for bar in bars for kind, value in bar.parts.items() if value != 0}, known)


def stacked(
    name: str,
    bars: list[Bar],
    known: dict[str, tuple[str, str]],
    axis: str,
    unit: str,
    texts: dict[str, str] | None = None,
) -> AnyChart:
    """Values are drawn as given; `axis` is the axis title, `unit` goes behind the totals. `texts`: what stands beside a
    bar, by its label, where that is not its total."""
    kinds = kinds_of(bars, known)
    titles = [names.title_of(kind, known) for kind in kinds]
    rows: list[Record] = []
    totals: list[Record] = []
    for bar in bars:
        total = sum(bar.parts.values())
        text = f"{significant(total)} {unit}" if texts is None else texts[bar.label]
        totals.append({"row": bar.label, "total": total, "text": text})
        for order, kind in enumerate(kinds):
            value = bar.parts.get(kind, 0.0)
            share = value / total if total else 0.0
            rows.append({"row": bar.label, "kind": titles[order], "order": order, "value": value, "share": share})
    chosen = focus(f"{name}_focus", "kind")
    y = alt.Y("row:N", sort=None, title=None, axis=_names(bars).axis())
    largest = max((sum(bar.parts.values()) for bar in bars), default=1.0) or 1.0
    x_scale = alt.Scale(domain=[0, largest * 1.1], nice=False)
    layers = (
        alt.Chart(data(rows))
        .mark_bar(height={"band": 0.72})
        .encode(
            y=y,
            x=alt.X("value:Q", stack="zero", title=axis, scale=x_scale, axis=alt.Axis(format=",~r", tickCount=6)),
            color=alt.Color("kind:N", scale=alt.Scale(domain=titles, range=names.colours(kinds, known)), title=None),
            order=alt.Order("order:Q"),
            opacity=focus_opacity(chosen),
            tooltip=[
                alt.Tooltip("row:N", title="run"),
                alt.Tooltip("kind:N", title="part"),
                alt.Tooltip("value:Q", title=axis, format=",.4~r"),
                alt.Tooltip("share:Q", title="share", format=".1%"),
            ],
        )
        .add_params(chosen),
        alt.Chart(data(totals))
        .mark_text(align="left", dx=6, fontWeight=600)
        .encode(y=y, x=alt.X("total:Q"), text="text:N"),
    )
    height = max(60, max(ROW_HEIGHT, _names(bars).row_height) * len(bars))
    return alt.layer(*layers).properties(width=PAGE_WIDTH - reserve_of(bars), height=height)


def summary_of(bars: list[Bar], known: dict[str, tuple[str, str]], unit: str) -> str:
    """The figure in words."""
    sentences = []
    for bar in bars:
        total = sum(bar.parts.values())
        parts = [
            f"{names.title_of(kind, known)} {value / total:.0%}"
            for kind, value in sorted(bar.parts.items(), key=lambda item: -item[1])
            if total and value / total >= 0.005
        ]
        sentences.append(f"{bar.label}: {significant(total)} {unit}, of it {', '.join(parts)}" if parts else bar.label)
    return "; ".join(sentences) + "."
