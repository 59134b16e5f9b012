"""A place in a JSON file that knows its own address, so that every complaint names file and key.

Knows JSON and types; nothing of any schema. Unknown keys are left alone: they belong to later versions.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ftlab.errors import InputError
from ftlab.places import refuse_special

T = TypeVar("T")

_KINDS: dict[type, str] = {
    dict: "an object",
    list: "an array",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


@dataclass(frozen=True)
class Node:
    """One JSON value with the file and key path it came from."""

    file: str
    path: str
    value: object

    def refuse(self, problem: str) -> InputError:
        where = f"{self.file}: {self.path}" if self.path else self.file
        return InputError(f"{where}: {problem}")

    def _expected(self, what: str) -> InputError:
        found = _KINDS.get(type(self.value), "something else")
        return self.refuse(f"expected {what}, found {found}; write the file anew with ftlab (format: docs/results.md)")

    def entries(self) -> dict[str, Node]:
        if not isinstance(self.value, dict):
            raise self._expected("an object")
        prefix = f"{self.path}." if self.path else ""
        return {key: Node(self.file, prefix + key, value) for key, value in self.value.items()}

    def items(self) -> list[Node]:
        if not isinstance(self.value, list):
            raise self._expected("an array")
        return [Node(self.file, f"{self.path}[{index}]", value) for index, value in enumerate(self.value)]

    def get(self, key: str) -> Node:
        found = self.find(key)
        if found is None:
            raise self.refuse(f"key '{key}' is missing; write the file anew with ftlab (format: docs/results.md)")
        return found

    def find(self, key: str) -> Node | None:
        """The value under an optional key; None when the key is absent or null."""
        node = self.entries().get(key)
        return None if node is None or node.value is None else node

    def items_of(self, key: str) -> list[Node]:
        """The elements of an optional array; empty when the key is absent or null."""
        node = self.find(key)
        return [] if node is None else node.items()

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self._expected("a text")
        return self.value

    def number(self) -> float:
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self._expected("a number")
        try:
            number = float(self.value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.refuse("is not a finite number")
        return number

    def count(self) -> int:
        """A whole number, 0 or more."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            raise self._expected("a whole number of 0 or more")
        if self.value < 0:
            raise self.refuse("must be a whole number of 0 or more")
        return self.value

    def flag(self) -> bool:
        if not isinstance(self.value, bool):
            raise self._expected("true or false")
        return self.value

    def choice(self, allowed: tuple[str, ...]) -> str:
        text = self.text()
        if text not in allowed:
            raise self.refuse(f"'{text}' is not one of {', '.join(allowed)}")
        return text

    def numbers_by_name(self) -> dict[str, float]:
        return {name: node.number() for name, node in self.entries().items()}


def optional(node: Node | None, read: Callable[[Node], T], default: T) -> T:
    """`read(node)`, or `default` where the key is absent or null."""
    return default if node is None else read(node)


def read_json(path: Path) -> Node:
    """The whole file as a node. Raises InputError with one line when it cannot be read or is not JSON."""
    try:
        refuse_special(path, "give one that ftlab wrote")
        value: object = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse_constant)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; run the simulation that writes it first") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text; write the file anew with ftlab") from None
    except RecursionError:
        raise InputError(f"{path}: is nested too deeply to be a result file") from None
    except json.JSONDecodeError as error:
        if error.doc.strip() and error.doc.lstrip()[0] not in "{[":
            raise InputError(f"{path}: is no JSON, as what ftlab writes is; give a file that it wrote") from None
        raise InputError(
            f"{path}:{error.lineno}: is not valid JSON ({error.msg}); it was damaged or cut short, write it anew"
        ) from None
    except ValueError as error:
        raise InputError(f"{path}: {error}") from None
    return Node(str(path), "", value)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"holds {name}, which is not a JSON number; write the file anew with ftlab")


def require_schema(root: Node, schema: str, version: int) -> None:
    """Refuses a file of another kind, or of a version that this package was not written for."""
    found = root.get("schema").text()
    if found != schema:
        raise root.refuse(f"schema is '{found}', expected '{schema}'")
    found_version = root.get("version").count()
    if found_version != version:
        raise root.refuse(
            f"{schema} version {found_version} is unknown, this program reads version {version}; "
            "use the ftlab that wrote the file, or write it anew with this one"
        )
