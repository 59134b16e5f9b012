"""result.json as an object: `result.flash.erases` is a number that knows its unit and what it is.

Attributes are the keys of the file (docs/results.md). Figures that `ftlab figures` lists are Quantity, everything else
is as JSON has it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ftlab.errors import InputError, echo, echo_name, shortened
from ftlab.json_node import read_json, require_schema
from ftlab.nearest import listed, meant
from ftlab.places import folder_of
from ftlab.program import listing
from ftlab.sweeps.attributes import describe_by_file

if TYPE_CHECKING:
    import pandas


@functools.cache
def figure_rows() -> dict[str, dict[str, Any]]:
    """Path of each figure -> its row of `ftlab figures`."""
    return {row["figure"]: row for row in listing("figures")}


class Quantity(float):
    """A figure's number. `path` is its name in `ftlab figures`, `unit` is empty where it counts or compares, `help`
    says what it is."""

    path: str
    unit: str
    help: str

    def __new__(cls, value: float, path: str) -> Quantity:
        made = super().__new__(cls, value)
        row = figure_rows().get(path, {})
        made.path = path
        made.unit = str(row.get("unit", ""))
        made.help = str(row.get("what it is", ""))
        return made

    def __repr__(self) -> str:
        return f"{float(self):.10g}" + (f" {self.unit}" if self.unit else "")

    def __reduce__(self) -> tuple[type[Quantity], tuple[float, str]]:
        return (Quantity, (float(self), self.path))


class Section:
    """An object of a result.json (docs/results.md). Its keys are attributes, which dir() lists, and items.

    `section["key"]` raises KeyError, `section.key` AttributeError for a key that it lacks, and says what was meant.
    """

    def __init__(self, path: str, entries: dict[str, Any]) -> None:
        self._path = path
        self._entries = entries

    def __getitem__(self, key: str) -> Any:
        if key not in self:
            known = list(self._entries)
            what = echo_name(key)
            raise KeyError(f"{self._path or 'result'} has no {what}{meant(what, known, listed(known))}")
        return _wrapped(f"{self._path}.{key}" if self._path else key, self._entries[key])

    def __getattr__(self, key: str) -> Any:
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self[key]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._entries]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __repr__(self) -> str:
        return "\n".join(f"{key} = {self[key]!r}" for key in self._entries if not isinstance(self._entries[key], dict))


def _wrapped(path: str, value: Any) -> Any:
    if isinstance(value, dict):
        return Section(path, value)
    if isinstance(value, int | float) and not isinstance(value, bool) and path in figure_rows():
        return Quantity(value, path)
    return value


class Result(Section):
    """What one run brought about; ftlab.run and ftlab.load give it.

    `result.flash.erases` is a Quantity, a number with .unit and .help; `ftlab figures` lists all of them with their
    units. `json` is the whole document as it is on disk (docs/results.md). Printed it is the summary of `ftlab run`.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        if not isinstance(document, dict) or not all(isinstance(key, str) for key in document):
            raise InputError(f"{echo(document)} is no result; ftlab.run and ftlab.load give one")
        super().__init__("", document)
        self.json = document

    def figure(self, path: str) -> Any:
        """The value under a path such as "flash.erases": a Quantity where it is a number of `ftlab figures`.

        Raises InputError for a path that the result does not have.
        """
        value: Any = self
        if not isinstance(path, str):
            raise InputError(f"{echo(path)} is no figure; give the path of one, such as 'flash.erases'")
        for key in path.split("."):
            if not isinstance(value, Section) or key not in value:
                hint = meant(path, numbers_of(self.json), "`ftlab figures` lists all that there may be")
                raise InputError(f"no figure {shortened(path)} in this result{hint}")
            value = value[key]
        return value

    def to_frame(self) -> pandas.DataFrame:
        """A frame with one row for each figure that is a number, its path as the index.

        Columns: value; unit, empty where it counts or compares; kind, "flow" for what adds up in an interval and
        "state" for what is as it is at its end; help, what it is.
        """
        import pandas as pd

        numbers = numbers_of(self.json)
        rows = {path: figure_rows().get(path) or figure_rows()[path.rpartition(".")[0]] for path in numbers}
        return pd.DataFrame(
            {
                "value": [numbers[path] for path in rows],
                "unit": [row["unit"] for row in rows.values()],
                "kind": [row["kind"] for row in rows.values()],
                "help": [row["what it is"] for row in rows.values()],
            },
            index=pd.Index(list(rows), name="figure"),
        )

    def __repr__(self) -> str:
        summary = self.json.get("summary")
        if not isinstance(summary, dict):
            return f"result of {', '.join(self.json)}"
        return "\n".join(str(line) for line in summary.values() if isinstance(line, str))


def is_number(path: str) -> bool:
    """Whether a mean of the figure means something. Figures of a table are numbers by name: `time.by_cause_s.clean`."""
    row = figure_rows().get(path)
    if row is None:
        table = figure_rows().get(path.rpartition(".")[0])
        return table is not None and table["type"] == "numbers by name"
    return row["type"] in ("integer", "number")


def entry_at(document: Any, path: str) -> Any:
    """The value under a dotted path, None where the document has no such entry."""
    value = document
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def numbers_of(document: dict[str, Any]) -> dict[str, float]:
    """Path of each figure that is a number in this document -> that number."""
    found: dict[str, float] = {}
    for path, row in figure_rows().items():
        value = entry_at(document, path)
        if row["type"] == "numbers by name" and isinstance(value, dict):
            found |= {f"{path}.{name}": float(entry) for name, entry in value.items() if isinstance(entry, int | float)}
        elif row["type"] in ("integer", "number") and isinstance(value, int | float):
            found[path] = float(value)
    return found


def read_result(path: Path) -> Result:
    """Raises InputError with one line for what is no result, or one of another version."""
    node = read_json(path)
    require_schema(node, "ftlab-result", 1)
    return Result({key: entry.value for key, entry in node.entries().items()})


def load(folder: str | Path) -> Result | pandas.DataFrame:
    """What a run, a sweep or a search left in its folder.

    `folder`: the one that `--out` or `out` named.

    Returns the Result of a run, or the table as ftlab.sweep and ftlab.optimize give it.

    Raises InputError where the folder holds neither, or a damaged one.
    """
    at = folder_of(folder, "folder")
    if (at / "result.json").exists():
        return read_result(at / "result.json")
    if (at / "table.parquet").exists():
        import pandas as pd

        try:
            return describe_by_file(pd.read_parquet(at / "table.parquet"), at / "sweep.json")
        except (OSError, ValueError) as error:
            raise InputError(f"{at / 'table.parquet'}: is damaged ({error}); run the sweep again") from None
    raise InputError(f"{at}: holds neither result.json nor table.parquet; give the folder that --out named")
