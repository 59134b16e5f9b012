"""Every run against the baseline, in per cent, over the main figures of merit."""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, run_scale, to_spec
from ftlab.report.figures.labels import Names
from ftlab.report.metrics import ARROWS, METRICS, wanted
from ftlab.report.theme import PAGE_WIDTH

MOST = 500.0  # per cent that a bar shows: one of many times the baseline would leave nothing of the others


def _records(report: Report) -> list[Record]:
    base = report.baseline_run()
    records: list[Record] = []
    for metric in METRICS:
        base_value = metric.mean(base.result) if base and metric.charted else None
        if not base_value:
            continue
        for run in report.runs:
            value = metric.mean(run.result)
            if value is None:
                continue
            percent, change = 100 * value / base_value, units.change(value, base_value)
            text = metric.text(value)
            records.append(
                {
                    "key": f"{metric.title} {ARROWS[metric.better] if report.comparable else ''}".strip(),
                    "run": run.label,
                    "percent": min(percent, MOST),
                    "label": text if percent <= MOST else f"→ {text} ({change})",
                    "text": text,
                    "change": change,
                }
            )
    return records


def make(report: Report) -> list[Figure]:
    if len(report.runs) < 2:
        return []
    records = _records(report)
    if not records:
        return []
    largest = max(float(str(record["percent"])) for record in records)
    cut = f" Longer ones are cut off at {MOST:.0f} % (→)." if any("→" in str(one["label"]) for one in records) else ""
    metrics = list(dict.fromkeys(str(record["key"]) for record in records))
    names = Names(tuple(metrics))
    reserve = names.width + 20
    chosen = focus("comparison_focus", "run")
    y = alt.Y(
        "key:N",
        sort=None,
        title=None,
        axis=names.axis(),
        scale=alt.Scale(paddingInner=0.28),
    )
    offset = alt.YOffset("run:N", sort=report.labels)
    x = alt.X(
        "percent:Q",
        title=f"per cent of {report.baseline}",
        scale=alt.Scale(domain=[0, largest * (1.3 if cut else 1.14)], nice=False),
        axis=alt.Axis(labelExpr="datum.label + ' %'", tickCount=6),
    )
    tooltip = [
        alt.Tooltip("run:N"),
        alt.Tooltip("key:N", title="figure"),
        alt.Tooltip("text:N", title="value"),
        alt.Tooltip("change:N", title=f"against {report.baseline}"),
    ]
    bars = (
        alt.Chart(data(records))
        .mark_bar()
        .encode(
            y=y,
            yOffset=offset,
            x=x,
            color=alt.Color("run:N", scale=run_scale(report), title=None),
            opacity=focus_opacity(chosen),
            tooltip=tooltip,
        )
        .add_params(chosen)
    )
    texts = (
        alt.Chart(data(records))
        .mark_text(align="left", dx=5, baseline="middle", fontSize=11)
        .encode(y=y, yOffset=offset, x=x, text="label:N", opacity=focus_opacity(chosen))
    )
    rule = alt.Chart(data([{"percent": 100}])).mark_rule(strokeDash=[4, 3]).encode(x=x)
    height = len(metrics) * (20 * len(report.runs) + 14)
    chart = alt.layer(bars, texts, rule).properties(width=PAGE_WIDTH - reserve, height=height)
    words = "; ".join(f"{record['key']} of {record['run']} {record['text']}" for record in records)
    return [
        Figure(
            name="comparison",
            title=f"Every run against {report.baseline}",
            caption=f"Bars are per cent of {report.baseline} (dashed line); the figures beside them are the values."
            f"{cut}{wanted(report.comparable)}",
            alt=words + ".",
            spec=to_spec(chart),
            reserve=reserve,
        )
    ]
