"""What response times are made of: a bar for the requests around each percentile, in shares of their latency."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import to_spec
from ftlab.report.figures.stacked import Bar, reserve_of, stacked, summary_of


def _figure(report: Report, kind: str) -> Figure | None:
    bars: list[Bar] = []
    texts: dict[str, str] = {}
    for run in report.runs:
        latency = run.result.write_latency if kind == "write" else run.result.read_latency
        if latency.count == 0 or not latency.parts_s:
            continue
        groups = {"mean": latency.parts_s}
        groups |= {names.PERCENTILES.get(band, band): parts for band, parts in latency.parts_by_percentile.items()}
        for title, parts in groups.items():
            label = title if len(report.runs) == 1 else f"{run.label}, {title}"
            total = sum(parts.values())
            bars.append(Bar(label, {part: 100 * value / total for part, value in parts.items()} if total else {}))
            texts[label] = units.seconds(total)
    if not bars:
        return None
    return Figure(
        name=f"latency-{kind}-parts",
        title=f"What {kind}s spend their time on",
        caption="Means of all requests and of those around each percentile. Of a request with several pages the one "
        "that ended last is followed.",
        hint="Click a legend entry to pick it out.",
        alt=summary_of(bars, names.LATENCY_PARTS, "%"),
        spec=to_spec(
            stacked(f"latency_{kind}_parts", bars, names.LATENCY_PARTS, "share of the latency, %", "%", texts)
        ),
        reserve=reserve_of(bars),
    )


def make(report: Report) -> list[Figure]:
    figures = [_figure(report, kind) for kind in ("write", "read")]
    return [figure for figure in figures if figure is not None]
