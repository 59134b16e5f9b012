"""Where a simulated core was awake, as a flame graph of its calls, callers above callees; one for each run that has a
profile. A click on a function shows it and what it calls alone, a click on the topmost bar everything again."""

from __future__ import annotations

from dataclasses import dataclass, field

import altair as alt

from ftlab.profile.folded import BUS, Profile
from ftlab.report import names, units
from ftlab.report.blocks import Figure
from ftlab.report.contents import Report, Run, profiled
from ftlab.report.figures.draw import AnyChart, Record, data, to_spec
from ftlab.report.theme import PAGE_WIDTH
from ftlab.report.units import percent

ROW = 18  # px
LEAST_SHARE = 1 / 4000  # of the awake cycles; narrower bars are left out
WAITS = ("waits for part and registers", "#9aa6b2")
_ALL = "all awake cycles"
INK, GROUND = "#10161d", "#c4ccd4"  # of words, on every colour of a cause; of the bar of all
LEAST_ROOM = 24  # px that a word takes
OWN_NAMESPACE = "ftlab::"


@dataclass
class _Call:
    name: str
    colour: str  # key of the legend
    cycles: int = 0
    own: int = 0
    calls: dict[str, _Call] = field(default_factory=dict)

    def called(self, name: str, colour: str) -> _Call:
        return self.calls.setdefault(name, _Call(name, colour))


def _tree(profile: Profile) -> _Call:
    root = _Call(_ALL, "")
    for stack in profile.awake:
        cause = names.title_of(stack.cause, names.CAUSES)
        at = root.called(cause, cause)
        path = [root, at]
        for name in stack.functions:
            path.append(at := at.called(name, cause))
        if stack.state == BUS:
            path.append(at := at.called("waits", WAITS[0]))
        for call in path:
            call.cycles += stack.cycles
        at.own += stack.cycles
    return root


def _records(root: _Call, least: float) -> list[Record]:
    records: list[Record] = []

    def place(call: _Call, begin: int, depth: int) -> None:
        records.append(
            {
                "function": call.name, "word": call.name.removeprefix(OWN_NAMESPACE), "kind": call.colour,
                "from": begin, "to": begin + call.cycles, "cycles": call.cycles, "row": depth, "below": depth + 1,
                "own": call.own, "share": call.cycles / root.cycles,
            }
        )  # fmt: skip
        for child in sorted(call.calls.values(), key=lambda one: one.name):
            if child.cycles >= least:
                place(child, begin, depth + 1)
            begin += child.cycles

    place(root, 0, 0)
    return records


def _chart(number: int, records: list[Record], causes: list[str]) -> AnyChart:
    picked = f"flame_{number}"
    first = f"(isDefined({picked}.from) ? {picked}.from[0] : 0)"
    last = f"(isDefined({picked}.to) ? {picked}.to[0] : {records[0]['to']})"
    titles = [names.title_of(cause, names.CAUSES) for cause in causes] + [WAITS[0]]
    scale = alt.Scale(domain=titles, range=[*names.colours(causes, names.CAUSES), WAITS[1]])
    rows = 1 + max(int(str(record["row"])) for record in records)
    place: alt.Chart = (
        alt.Chart(data(records))
        .transform_calculate(left=f"clamp((datum.from - {first}) / ({last} - {first}), 0, 1)")
        .transform_calculate(right=f"clamp((datum.to - {first}) / ({last} - {first}), 0, 1)")
        .transform_filter("datum.right > datum.left")
    )
    across, down = alt.Scale(domain=[0, 1], nice=False), alt.Scale(domain=[rows, 0], nice=False)
    tooltip = [
        alt.Tooltip("function:N"),
        alt.Tooltip("kind:N", title="for"),
        alt.Tooltip("cycles:Q", format=",d"),
        alt.Tooltip("share:Q", title="of all awake", format=".2%"),
        alt.Tooltip("own:Q", title="by itself", format=",d"),
    ]
    colour = alt.Color("kind:N", scale=scale, title=None)
    bars = (
        place.mark_rect(stroke="#ffffff", strokeWidth=0.6, strokeOpacity=0.55, cornerRadius=1, cursor="pointer")
        .encode(
            x=alt.X("left:Q", scale=across, axis=None),
            x2="right:Q",
            y=alt.Y("row:Q", scale=down, axis=None),
            y2="below:Q",
            color=alt.when("datum.kind == ''").then(alt.value(GROUND)).otherwise(colour),
            tooltip=tooltip,
        )
        .add_params(alt.selection_point(name=picked, fields=["from", "to"], toggle=False))
    )
    words = (
        place.transform_calculate(room="(datum.right - datum.left) * width - 6")
        .transform_filter(f"datum.room > {LEAST_ROOM}")
        .mark_text(
            align="left", dx=4, dy=ROW / 2, fontSize=11, color=INK, limit=alt.expr("datum.room"), cursor="pointer"
        )
        .encode(x=alt.X("left:Q"), y=alt.Y("row:Q"), text="word:N", tooltip=tooltip)
    )
    return alt.layer(bars, words).properties(width=PAGE_WIDTH, height=ROW * rows)


def _figure(number: int, run: Run, several: bool) -> list[Figure]:
    root = _tree(run.profile) if run.profile is not None else _Call(_ALL, "")
    if root.cycles == 0:
        return []
    assert run.profile is not None
    records = _records(root, root.cycles * LEAST_SHARE)
    causes = names.ordered({stack.cause for stack in run.profile.awake}, names.CAUSES)
    asleep = 1 - root.cycles / run.profile.cycles()
    parts = sorted(root.calls.values(), key=lambda call: -call.cycles)
    return [
        Figure(
            name=f"flame-{number}",
            title=f"Calls of the simulated core{f', {run.label}' if several else ''}",
            caption=f"As wide as the cycles that a function and what it calls were awake: {units.count(root.cycles)} "
            f"cycles; {percent(asleep)} of the time the core slept. Functions of one caller stand by name; those below "
            f"{percent(LEAST_SHARE, 3)} are left out.",
            hint="Click a function to see it alone, and the topmost bar to see all.",
            alt=f"{run.label}: awake for "
            + ", ".join(f"{call.name} {percent(call.cycles / root.cycles, 0)}" for call in parts)
            + ".",
            spec=to_spec(_chart(number, records, causes)),
        )
    ]


def make(report: Report) -> list[Figure]:
    several = len(report.runs) > 1
    return [figure for number, run in enumerate(profiled(report)) for figure in _figure(number, run, several)]
