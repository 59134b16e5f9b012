"""Values of a study's keys: what Python has, as TOML has it."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from ftlab.errors import echo, has_control

MAX_INTEGER = 2**63 - 1
_MAX_DEPTH = 20


class ValueRefusedError(ValueError):
    """What is wrong with a value, without saying whose."""


def plain(value: Any, depth: int = 0) -> Any:
    """Numbers of NumPy, paths and sequences as Python's own; raises ValueRefusedError for what TOML cannot hold."""
    if depth > _MAX_DEPTH:
        raise ValueRefusedError("is nested too deeply")
    if hasattr(value, "tolist"):  # NumPy's and pandas' scalars and arrays
        value = value.tolist()
    if isinstance(value, PurePath | str):
        return _text(str(value))
    if isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        if abs(value) > MAX_INTEGER:
            raise ValueRefusedError("is beyond 64 bits")
        return value
    if isinstance(value, Mapping):
        return {_text(key): plain(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain(entry, depth + 1) for entry in value]
    raise ValueRefusedError(f"{echo(value)} is no text, number, truth value, list or table")


def _text(value: Any) -> str:
    try:
        if not isinstance(value, str):
            raise ValueRefusedError(f"{echo(value)} is no text")
        if has_control(value):
            raise ValueRefusedError(f"{echo(value)} holds control characters")
        value.encode()
    except UnicodeEncodeError:
        raise ValueRefusedError(f"{echo(value)} is no UTF-8 text") from None
    return value


def toml(value: Any) -> str:
    """One line of TOML for what plain() gives."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(entry) for entry in value) + "]"
    # JSON's texts, numbers and truth values are TOML's, but for one control character.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def flattened(
    tree: Mapping[str, Any], is_value: Callable[[dict[str, Any]], bool] = lambda _: False, prefix: str = ""
) -> dict[str, Any]:
    """Tables in tables as keys with dots. `is_value`: a table that stands for one value. Raises ValueRefusedError for a
    key that is there twice, written in two ways."""
    flat: dict[str, Any] = {}
    for key, value in tree.items():
        if not isinstance(key, str):
            raise ValueRefusedError(f"{echo(key)} is no key of a study; keys are text")
        is_table = isinstance(value, dict) and value and not is_value(value)
        found = flattened(value, is_value, f"{prefix}{key}.") if is_table else {prefix + key: value}
        for name in found:
            if name in flat:
                raise ValueRefusedError(f"{name} is there twice")
        flat |= found
    return flat
