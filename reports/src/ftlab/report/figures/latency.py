"""Share of requests slower than a given time, on two logarithmic axes, with the percentiles marked."""

from __future__ import annotations

import altair as alt

from ftlab.report import units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run
from ftlab.report.figures.draw import Record, data, focus, focus_opacity, hover_points, log_ticks, run_scale, to_spec
from ftlab.report.model.latency import Latency
from ftlab.report.theme import PAGE_WIDTH

AXIS_WIDTH = 90
NAME_SHARE = 0.16  # of the logarithmic span
PERCENTILES = ((0.5, "50 %"), (0.01, "99 %"), (0.001, "99.9 %"))
TIME_LABEL = (  # seconds on the axis, in units people say
    "datum.value >= 1 ? format(datum.value, ',~r') + ' s' : "
    "datum.value >= 1e-3 ? format(datum.value * 1e3, ',.3~r') + ' ms' : "
    "datum.value >= 1e-6 ? format(datum.value * 1e6, ',.3~r') + ' µs' : format(datum.value * 1e9, ',.3~r') + ' ns'"
)
# Significant digits, not decimals: the rarest requests are few in a million.
SHARE_LABEL = "format(100 * datum.value, ',.3~r') + ' %'"


def _latency(run: Run, kind: str) -> Latency:
    return run.result.write_latency if kind == "write" else run.result.read_latency


def _figure(report: Report, kind: str) -> Figure | None:
    runs = [run for run in report.runs if _latency(run, kind).count > 0]
    curve: list[Record] = []
    marks: list[Record] = []
    facts: list[str] = []
    for run in runs:
        latency = _latency(run, kind)
        for edge_s, share in latency.slower_than():
            if share > 0:
                curve.append({"run": run.label, "time": edge_s, "share": share, "text": units.seconds(edge_s)})
        values = (latency.p50_s, latency.p99_s, latency.p999_s)
        for (share, name), value in zip(PERCENTILES, values, strict=True):
            if value > 0:
                marks.append(
                    {"run": run.label, "time": value, "share": share, "name": name, "text": units.seconds(value)}
                )
        facts.append(
            f"{run.label}: half within {units.seconds(latency.p50_s)}, 99 % within {units.seconds(latency.p99_s)}, "
            f"99.9 % within {units.seconds(latency.p999_s)}, slowest {units.seconds(latency.max_s)}"
        )
    if not curve:
        return None
    floor = 0.7 * min(float(str(record["share"])) for record in [*curve, *marks])
    slowest = [_latency(run, kind).max_s for run in runs]
    curve += [
        {"run": run.label, "time": worst, "share": floor, "text": f"{units.seconds(worst)} (the slowest)"}
        for run, worst in zip(runs, slowest, strict=True)
    ]
    fastest = min(float(str(record["time"])) for record in curve)
    left = fastest * (fastest / max(slowest)) ** NAME_SHARE  # room for the names of the percentiles
    chosen = focus(f"latency_{kind}_focus", "run")
    x = alt.X(
        "time:Q",
        title=f"{kind} latency",
        scale=alt.Scale(type="log", domain=[left, max(slowest) * 1.15], nice=False),
        axis=alt.Axis(labelExpr=TIME_LABEL, values=log_ticks(left, max(slowest))),
    )
    y = alt.Y(
        "share:Q",
        title=f"share of {kind}s slower than this",
        scale=alt.Scale(type="log", domain=[floor, 1], nice=False),
        axis=alt.Axis(labelExpr=SHARE_LABEL, values=[10.0**-power for power in range(10) if 10.0**-power >= floor]),
    )
    color = alt.Color("run:N", scale=run_scale(report), title=None)
    line = (
        alt.Chart(data(curve))
        .mark_line(interpolate="step-after")
        .encode(x=x, y=y, color=color, opacity=focus_opacity(chosen))
        .add_params(chosen)
    )
    hover = hover_points([record for record in curve if record["share"] != floor]).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("run:N"),
            alt.Tooltip("text:N", title="slower than"),
            alt.Tooltip("share:Q", title="share of requests", format=".4~%"),
        ],
    )
    dots = (
        alt.Chart(data(marks))
        .mark_point(filled=True, size=80)
        .encode(
            x=x,
            y=y,
            color=color,
            opacity=focus_opacity(chosen),
            tooltip=[
                alt.Tooltip("run:N"),
                alt.Tooltip("name:N", title="of requests"),
                alt.Tooltip("text:N", title="within"),
            ],
        )
    )
    shown = [(share, name) for share, name in PERCENTILES if share > floor]
    rule_data: list[Record] = [{"share": share, "name": f"{name} are faster"} for share, name in shown]
    rules = alt.Chart(data(rule_data)).mark_rule(strokeDash=[3, 4], opacity=0.6).encode(y="share:Q")
    names = (
        alt.Chart(data(rule_data))
        .mark_text(align="left", baseline="bottom", dx=4, dy=-3, fontSize=11, opacity=0.75)
        .encode(y="share:Q", x=alt.value(0), text="name:N")
    )
    chart = alt.layer(rules, line, hover, dots, names).properties(width=PAGE_WIDTH - AXIS_WIDTH, height=330)
    return Figure(
        name=f"latency-{kind}",
        title=f"{kind.capitalize()} latency",
        caption="Further left is faster. Dots mark the median, the 99th and the 99.9th percentile.",
        alt="; ".join(facts) + ".",
        spec=to_spec(chart),
        reserve=AXIS_WIDTH,
    )


def make(report: Report) -> list[Figure]:
    figures = [_figure(report, kind) for kind in ("write", "read")]
    return [figure for figure in figures if figure is not None]
