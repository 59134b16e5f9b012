"""Every number of the parts and hosts that experiments stand on, with its source, and what experiments change of them.

All of it comes from the files themselves, as the program lists them; nothing is copied here.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from ftlab.program import listing
from ftlab.reproduce.cells import Json
from ftlab.reproduce.open_values import inputs_of
from ftlab.reproduce.paper import Paper
from ftlab.reproduce.spec import Experiment, Settings
from ftlab.text_table import Column, table_text


def input_parameters(paper: Paper, experiments: Sequence[Experiment]) -> list[Json]:
    """Of the files that the paper names in `inputs`: of each file once, then the changes of each experiment."""
    found: list[Json] = []
    for file in paper.inputs:
        names = dict.fromkeys(name for experiment in experiments for name in _names(experiment, file))
        found += [_parameter(row, name) for name in names for row in listing(f"{file}s", name)]
    units = {str(one["name"]): str(one["unit"]) for one in found}
    for experiment in experiments:
        found += _changes(experiment, paper.inputs, units)
    return found


def inputs_text(parameters: Sequence[Json]) -> str:
    """For the console, before anything runs; empty without any."""
    if not parameters:
        return ""
    columns = [
        Column("Of"), Column("Parameter"), Column("Value", right=True), Column("Unit"), Column("Kind"), Column("Source")
    ]  # fmt: skip
    rows: list[list[str]] = []
    lists: list[list[str]] = []
    for one in parameters:
        kind = "fitted" if one["fitted"] else str(one.get("note", ""))
        row = [one["group"], one["name"], one["value"], one["unit"], kind, one["source"]]
        row[2] = row[2] if isinstance(row[2], str) else f"{row[2]:g}"
        # Lists would make the column of single numbers too wide.
        (lists if _is_list(row[2]) else rows).append(row)
    apart = [[row[0], row[1], row[2], row[5]] for row in lists]
    text = table_text(columns, rows)
    if apart:
        text += "\n" + table_text([Column("Of"), Column("Parameter"), Column("Values"), Column("Source")], apart)
    return text


def _is_list(value: str) -> bool:
    return " " in value and value.replace(" ", "").replace(".", "").isdigit()


def _settings(experiment: Experiment) -> Iterator[Settings]:
    """Of all runs."""
    for point in itertools.product(*([value.name for value in axis.values] for axis in experiment.axes)):
        if not experiment.refusal(point):
            yield experiment.settings(point)


def _names(experiment: Experiment, file: str) -> list[str]:
    """Parts, or hosts, of its runs."""
    found: list[str] = []
    unsaid = False
    for settings in _settings(experiment):
        name = str(settings.get(file, ""))
        # Which host a part has unless a study says so, the program knows.
        if not name and not unsaid:
            unsaid = True
            name = next(str(row["value"]) for row in inputs_of(settings) if row["of"] == "study" and row["key"] == file)
        if name and name not in found:
            found.append(name)
    return found


def _changes(experiment: Experiment, files: Sequence[str], units: dict[str, str]) -> list[Json]:
    """Some or all runs of the experiment have another number; of several, all are named."""
    values: dict[str, list[str]] = {}
    tables = tuple(f"{file}_overrides." for file in files)
    for settings in _settings(experiment):
        for key, value in settings.items():
            if key.startswith(tables) and str(value) not in values.setdefault(key, []):
                values[key].append(str(value))
    changed = []
    for key, said in values.items():
        name = key.partition(".")[2]
        plain = not any(isinstance(settings.get(key), str) for settings in _settings(experiment))
        changed.append(
            {
                "name": name,
                "value": ", ".join(said),
                "unit": units.get(name, "") if plain else "",
                "fitted": False,
                "source": "--set" if key in experiment.given else "experiment, in the place of the number above",
                "group": experiment.name,
            }
        )
    return changed


def _parameter(row: dict[str, Any], group: str) -> Json:
    text = str(row["value"])
    found: Json = {
        "name": row["key"],
        "value": text if " " in text else float(text),
        "unit": row["unit"],
        "fitted": row["mark"] == "fitted",
        "source": row["source"],
        "group": group,
    }
    return found | ({"note": "estimate"} if row["mark"] == "estimate" else {})
