"""paper.toml of a folder of experiments: what they share, and what stands behind all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ftlab.nearest import meant
from ftlab.reproduce.axis_fields import AxisFields
from ftlab.reproduce.fields import HINT
from ftlab.reproduce.spec import Settings
from ftlab.runs import ALL_KEYS
from ftlab.toml_source import read_tree

PAPER = "paper.toml"
_TOP = ("place", "order", "inputs", "study", "axes", "derived", "quantities", "choices", "not_reproduced")
_QUANTITY = ("title", "unit", "decimals", "value", "published", "deviation")
_CHOICE = ("title", "key", "value", "unit", "source", "fitted", "free", "estimate")
INPUTS = ("part", "host")
Tables = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Choice:
    """What the paper leaves unsaid: `key` of the study that says what is used, or `value`."""

    name: str
    title: str
    key: str
    value: Any
    unit: str
    source: str
    fitted: bool
    free: bool
    estimate: bool


@dataclass(frozen=True)
class Paper:
    name: str = ""
    place: int = 0  # among the papers
    order: tuple[str, ...] = ()  # of its experiments
    inputs: tuple[str, ...] = ()  # files of the study whose numbers are all said before anything runs
    study: Settings = field(default_factory=dict)
    axes: Tables = field(default_factory=dict)
    derived: dict[str, str] = field(default_factory=dict)
    quantities: Tables = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    not_reproduced: tuple[dict[str, str], ...] = ()  # title, text


def read_paper(folder: Path) -> Paper:
    """Empty where the folder has none. Raises InputError with file, line and key."""
    path = folder / PAPER
    if not path.exists():
        return Paper()
    tree, source = read_tree(path, HINT)
    return _PaperReader(source, folder).paper(folder.name, tree)


class _PaperReader(AxisFields):
    def paper(self, name: str, tree: dict[str, Any]) -> Paper:
        for key in tree:
            if key not in _TOP:
                raise self._at.refuse(key, f"is no key of a paper{meant(key, _TOP, HINT)}")
        place = tree.get("place", 0)
        if isinstance(place, bool) or not isinstance(place, int):
            raise self._at.refuse("place", "must be a whole number")
        inputs = self._texts(tree, "inputs")
        for file in inputs:
            if file not in INPUTS:
                raise self._at.refuse("inputs", f"{file} is none of {', '.join(INPUTS)}")
        axes = self._named_tables(tree, "axes")
        for axis, table in axes.items():
            self._axis(axis, table)
        return Paper(
            name=name,
            place=place,
            order=self._texts(tree, "order"),
            inputs=inputs,
            study=self._settings("study", tree.get("study", {})),
            axes=axes,
            derived=self._expressions(tree),
            quantities=self._quantities(tree),
            choices=tuple(self._choice_of(*entry) for entry in self._named_tables(tree, "choices").items()),
            not_reproduced=tuple(
                self._point(nth, table) for nth, table in enumerate(self._tables(tree, "not_reproduced"))
            ),
        )

    def _quantities(self, tree: dict[str, Any]) -> Tables:
        found = self._named_tables(tree, "quantities")
        for name, table in found.items():
            self._only(f"quantities.{name}", table, _QUANTITY)
        return found

    def _expressions(self, tree: dict[str, Any]) -> dict[str, str]:
        found = self._table(tree, "derived")
        for name, expression in found.items():
            if not isinstance(expression, str):
                raise self._at.refuse(f"derived.{name}", "must be an expression, written as a text")
        return found

    def _choice_of(self, name: str, table: dict[str, Any]) -> Choice:
        key = f"choices.{name}"
        self._only(key, table, _CHOICE)
        used = self._text(table, "key", "", key)
        value = table.get("value")
        if bool(used) == (value is not None) or not isinstance(value, str | int | float | None):
            raise self._at.refuse(
                key, "needs key, a key of the study that says what is used, or value, a number or a text"
            )
        if used and used not in self._keys:
            raise self._at.refuse(f"{key}.key", f"{used} is no key of a study{meant(used, self._keys, ALL_KEYS)}")
        return Choice(
            name=name,
            title=self._text(table, "title", None, key),
            key=used,
            value=value,
            unit=self._text(table, "unit", "", key),
            source=self._text(table, "source", None, key),
            fitted=self._flag(table, "fitted", False, key),
            free=self._flag(table, "free", False, key),
            estimate=self._flag(table, "estimate", False, key),
        )

    def _point(self, nth: int, table: dict[str, Any]) -> dict[str, str]:
        self._only("not_reproduced", table, ("title", "text"), nth)
        return {name: self._text(table, name, None, "not_reproduced") for name in ("title", "text")}
