"""reproduce.json for the console."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ftlab.reproduce.cells import Json
from ftlab.reproduce.claims import HOLDS
from ftlab.text_table import Column, coloured, table_text

_VARIANTS_A_LINE = 2  # 20 % less, 20 % more
_GREEN, _RED = 32, 31


def experiment_text(experiment: Json) -> str:
    about = f"{experiment['about']}\n" if experiment["about"] else ""
    text = (
        f"{experiment['title']}  ({experiment['paper_source']})\n{about}"
        f"Seeds: {json.dumps(experiment['seeds'], separators=(',', ':'))}\n\n{_cells(experiment)}"
    )
    text += "".join(f"Note: {note}\n" for note in experiment["notes"])
    return text + claims_text(experiment) + _sensitivity(experiment)


def _keys(experiment: Json) -> list[Column]:
    return [Column(key["title"]) for key in experiment["keys"]]


def _quantity(experiment: Json, name: str) -> Json:
    return next(quantity for quantity in experiment["quantities"] if quantity["name"] == name)


def _titled(quantity: Json) -> str:
    return f"{quantity['title']} [{quantity['unit']}]" if quantity["unit"] else str(quantity["title"])


def _number(value: float | None, quantity: Json) -> str:
    return "" if value is None else f"{value:.{quantity['decimals']}f}"


def _cells(experiment: Json) -> str:
    numbers = ("Paper", "Ours", "+-", "Deviation", "Allowed")
    columns = [*_keys(experiment), Column("Quantity"), *(Column(title, right=True) for title in numbers)]
    rows = []
    for row in experiment["rows"]:
        for cell in row["cells"]:
            quantity = _quantity(experiment, cell["quantity"])
            rows.append(
                [
                    *row["keys"].values(),
                    _titled(quantity),
                    *(_number(cell[key], quantity) for key in ("paper", "ours", "standard_error")),
                    _deviation(cell, "deviation", "+", quantity["decimals"]),
                    _deviation(cell, "allowed", "", quantity["decimals"]),
                    _verdict(cell["verdict"]),
                ]
            )
    return table_text([*columns, Column("Verdict")], rows)


def _deviation(cell: Json, key: str, sign: str, decimals: int) -> str:
    value = cell[key]
    if value is None:
        return ""
    if cell["deviation_kind"] == "relative":
        return f"{100 * value:{sign}.2f} %"
    return f"{value:{sign}.{max(2, decimals)}f}"


def _verdict(verdict: str) -> str:
    if verdict == "fail":
        return coloured("DIFFERS", _RED)
    return coloured("ok", _GREEN) if verdict == "pass" else verdict


def range_text(claim: Json) -> str:
    """Where the statement holds: 60 to 65 %, at least 86 %."""
    least, most = (None if claim[end] is None else f"{claim[end]:.{claim['decimals']}f}" for end in ("least", "most"))
    unit = f" {claim['unit']}" if claim["unit"] else ""
    if least is None or most is None:
        return (f"at most {most}" if least is None else f"at least {least}") + unit
    return (least if least == most else f"{least} to {most}") + unit


def claims_text(experiment: Json) -> str:
    """Empty without claims."""
    rows = []
    for claim in experiment.get("claims", []):
        verdict = coloured("holds", _GREEN)
        if claim["verdict"] != HOLDS:
            verdict = coloured("fails", _RED) + f", missed by {claim['missed_by']:.{claim['decimals']}f}"
        text = claim["text"] + (f" ({claim['measure']})" if "measure" in claim else "")
        rows.append([text, range_text(claim), f"{claim['ours']:.{claim['decimals']}f}", verdict])
    if not rows:
        return ""
    columns = [Column("Statement"), Column("Range", right=True), Column("Ours", right=True), Column("Verdict")]
    about = f"These statements are about {experiment['claims_about']}.\n" if "claims_about" in experiment else ""
    return f"\n{about}{table_text(columns, rows)}"


def _sensitivity(experiment: Json) -> str:
    """What the figures owe to values that the papers leave open; empty without such runs."""
    sensitivity = experiment.get("sensitivity")
    if sensitivity is None:
        return ""
    columns = [Column("Unpublished value"), Column("Used"), *_keys(experiment), Column("Quantity")]
    numbers = ["Ours", *("Changed to", "Gives") * _VARIANTS_A_LINE]
    rows: list[list[str]] = []
    for effect in sensitivity["effects"]:
        quantity = _quantity(experiment, effect["quantity"])
        head = [effect["name"], effect["used"], *effect["keys"].values(), _titled(quantity)]
        head.append(_number(effect["ours"], quantity))
        variants = effect["variants"]
        for begin in range(0, len(variants), _VARIANTS_A_LINE):
            shown = variants[begin : begin + _VARIANTS_A_LINE]
            pairs = [text for one in shown for text in (one["value"], _number(one["ours"], quantity))]
            rows.append([*(head if begin == 0 else [""] * len(head)), *pairs])
    text = "\nUnpublished values, one at a time 20 % lower and higher:\n"
    if rows:
        text += table_text([*columns, *(Column(title, right=True) for title in numbers)], rows)
    none = ", ".join(sensitivity["without_effect"])
    return text + (f"No effect: {none}\n" if none else "")


def parameters_text(document: Json, said: Sequence[Json] = ()) -> str:
    """But for those that were said before."""
    rows = []
    for parameter in document["parameters"]:
        if parameter in said:
            continue
        marks = {
            "fitted": parameter["fitted"],
            "unpublished": parameter.get("free", False),
            "estimate": "note" in parameter,
        }
        if any(marks.values()):
            how = ", ".join(mark for mark, holds in marks.items() if holds)
            name = f"{parameter['group']} {parameter['name']}"
            rows.append([name, _value(parameter["value"]), parameter["unit"], how, parameter["source"]])
    columns = [
        Column("Fitted, unpublished or estimated"), Column("Value", right=True), Column("Unit"), Column("How"),
        Column("Source"),
    ]  # fmt: skip
    points = "".join(f"- {point['title']}: {point['text']}\n" for point in document["not_reproduced"])
    return f"{table_text(columns, rows)}\nWhat does not reproduce:\n{points}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
