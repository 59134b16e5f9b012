"""Where the numbers come from: what was simulated, with which configuration, seed and program."""

from __future__ import annotations

from ftlab.report import names, units
from ftlab.report.blocks import Cell, Column, Table
from ftlab.report.contents import Report, Run
from ftlab.report.differences import flatten
from ftlab.report.figures.draw import run_colour

_TRACE_WORDS = {
    "unique_pages": "pages touched",
    "span_s": "span",
    "hottest_1pct_share": "writes to the hottest 1 % of pages",
    "hottest_10pct_share": "writes to the hottest 10 % of pages",
    "last_line_open": "last line has no end, perhaps cut short",
    "mapping": "addresses",
}


def _facts(run: Run) -> dict[str, str]:
    device, workload, program = run.result.device, run.result.workload, run.result.run
    titles = run.result.titles
    facts = {
        "what ran": titles.device,
        "firmware": titles.firmware or "–",
        "device": f"{device.title} ({device.part})",
        "host": f"{device.host_title} ({device.host_profile})",
        "supply": units.volts(device.supply_v),
        "segments": f"{units.count(device.segments)} of {units.bytes_text(device.segment_bytes)}",
        "mapping unit": units.bytes_text(device.page_bytes),
        "offered to the host": units.bytes_text(device.logical_bytes),
        "workload": titles.workload,
        "arrivals": "at the workload's own times" if workload.arrival == "trace" else names.plain(workload.arrival),
        "utilization": "–" if workload.utilization is None else units.percent(workload.utilization),
        "measured": workload.measured,
        "requests": units.count(run.result.host["requests"]),
        "written by the host": units.bytes_text(run.result.host["bytes_written"]),
        "read by the host": units.bytes_text(run.result.host["bytes_read"]),
    }
    if device.rated_erase_cycles is not None:
        facts["rated erase cycles"] = units.count(device.rated_erase_cycles)
    for key, value in workload.trace.items():
        facts[f"trace: {_TRACE_WORDS.get(key, names.plain(key))}"] = _trace_value(key, value)
    facts["seed"] = str(run.result.seed)
    for key, title in (("ftlab_version", "ftlab version"), ("commit", "source revision")):
        if isinstance(program.get(key), str):
            facts[title] = str(program[key])
    for key, title, text in (
        ("wall_s", "took (wall clock)", units.seconds),
        ("cpu_s", "took (CPU)", units.seconds),
        ("host_writes_per_cpu_s", "host page writes per CPU second", units.significant),
        ("peak_rss_bytes", "memory", units.bytes_text),
    ):
        number = program.get(key)
        if isinstance(number, int | float):
            facts[title] = text(float(number))
    return facts


def _trace_value(key: str, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return "–" if value is None else str(value)
    if key.endswith("_share"):
        return units.percent(float(value))
    if key.endswith("_s"):
        return units.seconds(float(value))
    return units.bytes_text(float(value)) if key.startswith("bytes") else units.count(float(value))


def _table(report: Report, name: str, title: str, per_run: list[dict[str, str]], folded: bool, caption: str) -> Table:
    """One column when all runs agree on every key; else one for each run, with differing rows marked."""
    keys = list(dict.fromkeys(key for facts in per_run for key in facts))
    agree = {key: len({facts.get(key, "–") for facts in per_run}) == 1 for key in keys}
    columns: tuple[Column, ...]
    if all(agree.values()):
        columns = (Column(""), Column("All runs" if len(per_run) > 1 else "Value"))
        return Table(
            name, title, columns, tuple((Cell(key), Cell(per_run[0][key])) for key in keys), caption, folded=folded
        )
    columns = (Column(""), *(Column(run.label, swatch=run_colour(i)) for i, run in enumerate(report.runs)))
    rows = tuple(
        (Cell(key), *(Cell(facts.get(key, "–"), tone="muted" if agree[key] else "strong") for facts in per_run))
        for key in keys
    )
    return Table(name, title, columns, rows, f"{caption} Bold: where the runs differ.".strip(), folded=folded)


def make(report: Report) -> list[Table]:
    if not report.runs:
        return []
    return [
        _table(report, "provenance", "What was simulated", [_facts(run) for run in report.runs], False, ""),
        _table(
            report,
            "configuration",
            "Configuration, fully resolved",
            [flatten(run.result.config) for run in report.runs],
            True,
            "Every key as in `ftlab keys`.",
        ),
    ]
