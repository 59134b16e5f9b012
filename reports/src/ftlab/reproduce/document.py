"""reproduce.json: experiments, the parameters that stand behind them, and what does not reproduce."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from ftlab.program import listing
from ftlab.reproduce.bank import Bank
from ftlab.reproduce.cells import Json, overall
from ftlab.reproduce.claims import claims_of
from ftlab.reproduce.inputs import input_parameters
from ftlab.reproduce.library import papers
from ftlab.reproduce.open_values import inputs_of
from ftlab.reproduce.paper import Paper
from ftlab.reproduce.plots import plots_of
from ftlab.reproduce.rows import all_rows, run_rows
from ftlab.reproduce.sensitivity import sensitivity_of
from ftlab.reproduce.spec import Experiment, TradeOff, Where
from ftlab.values import toml

_ENDED = "{} of {} runs ended early, when the device took no more writes; their figures cover what came before."
SCHEMA, VERSION = "ftlab-reproduce", 1


def experiment_part(
    experiment: Experiment, bank: Bank, seeds: Sequence[int], vary: bool = True, where: Where | None = None
) -> Json:
    """An experiment's part of reproduce.json. `where`: only these rows."""
    points = experiment.rows(where)
    made = run_rows(experiment, all_rows(experiment, points), bank, seeds)
    rows, values = made.rows, made.values
    found: Json = {
        "name": experiment.name,
        "title": experiment.title,
        "paper_source": experiment.source,
        "about": experiment.about,
        "seeds": list(seeds),
        "verdict": overall(rows),
        "keys": [{"name": axis.name, "title": axis.title} for axis in experiment.axes if axis.column],
        "quantities": [
            {"name": one.name, "title": one.title, "unit": one.unit, "decimals": one.decimals}
            for one in experiment.quantities
        ],
        "rows": rows,
    }
    if experiment.plots:
        found["plots"] = plots_of(experiment, points, rows, values)
    if experiment.trade_off:
        found["trade_off"] = _trade_off(experiment.trade_off)
    if experiment.claims:
        found["claims"] = claims_of(experiment, values)
        if experiment.claims_about:
            found["claims_about"] = experiment.claims_about
    sensitivity = sensitivity_of(experiment, bank, seeds) if vary else None
    if sensitivity is not None:
        found["sensitivity"] = sensitivity
    found["notes"] = [*experiment.notes, *not_run(experiment, where or {})]
    if experiment.given:
        words = ", ".join(f"{key} = {toml(value)}" for key, value in experiment.given.items())
        found["notes"].insert(0, f"In all runs, other than the experiment says: {words}.")
    if made.ended_early:
        found["notes"].insert(0, _ENDED.format(made.ended_early, made.runs))
    return found


def not_run(experiment: Experiment, where: Where) -> list[str]:
    """A note for each of [[refused]] that takes rows away."""
    every = dataclasses.replace(experiment, refused=())
    notes = []
    for refused in experiment.refused:
        if any(every.matches(point, where) for point in every.rows(refused.where)):
            axes = [axis for axis in experiment.axes if axis.name in refused.where]
            named = ["; ".join(axis.value(name).title for name in refused.where[axis.name]) for axis in axes]
            notes.append(f"Not run: {': '.join(named)}. Why: {refused.reason}.")
    return notes


def _trade_off(trade_off: TradeOff) -> Json:
    figures = [{"quantity": name, "wanted": "more" if more else "less"} for name, more in trade_off.figures]
    return {"over": trade_off.over, "beaten": trade_off.beaten, "figures": figures}


def document_of(experiments: Sequence[Experiment], parts: Sequence[Json]) -> Json:
    """The whole of the experiments and their parts."""
    parameters: list[Json] = []
    points: list[Json] = []
    for paper in papers():
        used = [experiment for experiment in experiments if experiment.paper == paper.name]
        if used:
            parameters += _choices(paper, used) + _open_keys(paper, used) + _numbers_of_files(used, parameters)
            parameters += input_parameters(paper, used)
            points += paper.not_reproduced
    return {
        "schema": SCHEMA,
        "version": VERSION,
        "title": "Published figures, reproduced",
        "notes": [],
        "experiments": list(parts),
        "parameters": parameters,
        "not_reproduced": points,
    }


def inputs_of_all(experiments: Sequence[Experiment]) -> list[Json]:
    """Parameters that are said before anything runs."""
    return [
        one
        for paper in papers()
        for one in input_parameters(paper, [used for used in experiments if used.paper == paper.name])
    ]


def _choices(paper: Paper, experiments: Sequence[Experiment]) -> list[Json]:
    """What the paper leaves unsaid and its experiments depend on; `key` takes the value from their study."""
    rows = {row["key"]: row for row in inputs_of(experiments[0].study) if row["of"] == "study"}
    return [
        {
            "name": choice.name,
            "title": choice.title,
            "value": _value(rows[choice.key]) if choice.key else choice.value,
            "unit": choice.unit,
            "fitted": choice.fitted,
            "free": choice.free,
            "source": choice.source,
            "group": paper.name,
            **({"note": "estimate"} if choice.estimate else {}),
        }
        for choice in paper.choices
    ]


def _value(row: dict[str, Any]) -> float | str:
    return float(row["value"]) if row["type"] in ("integer", "number") else str(row["value"])


def _open_keys(paper: Paper, experiments: Sequence[Experiment]) -> list[Json]:
    """Unpublished keys of the tables that the experiments vary."""
    tables = {table for one in experiments if one.vary for table in one.vary.keys}
    return [
        {
            "name": row["key"],
            "value": _value(row),
            "unit": row["unit"],
            "fitted": False,
            "free": True,
            "source": row["source"],
            "group": paper.name,
        }
        for row in inputs_of(experiments[0].study)
        if row["of"] == "study" and str(row["key"]).partition(".")[0] in tables and "unpublished" in str(row["mark"])
    ]


def _numbers_of_files(experiments: Sequence[Experiment], known: list[Json]) -> list[Json]:
    """Every number of the hosts, fitted or not, and the unpublished ones of the scenarios."""
    found: list[Json] = []
    for experiment in experiments:
        for point in experiment.rows():
            settings = experiment.settings(point)
            host, scenario = str(settings.get("host", "")), str(settings.get("workload.scenario", ""))
            groups = {one["group"] for one in [*known, *found]}
            if host and host not in groups:
                found += [_number(row, host) for row in listing("hosts", host)]
            if scenario and scenario not in groups:
                rows = [row for row in listing("scenarios", scenario) if str(row["source"]).startswith("free:")]
                found += [_number(row | {"mark": ""}, scenario) | {"free": True} for row in rows]
    return found


def _number(row: dict[str, Any], group: str) -> Json:
    found: Json = {
        "name": row["key"],
        "value": float(row["value"]),
        "unit": row["unit"],
        "fitted": row["mark"] == "fitted",
        "source": row["source"],
        "group": group,
    }
    return found | ({"note": "estimate"} if row["mark"] == "estimate" else {})
