"""What people call a sweep's axes and figures, and the unit in which an axis of a chart shows them.

Knows how keys and figures are spelt (`ftlab keys`, `ftlab figures`); nothing of charts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ftlab.report import units
from ftlab.report.metrics import METRICS
from ftlab.report.model.sweep import Point, SweepFigure, SweepTable, is_number
from ftlab.report.names import capitalized, plain
from ftlab.report.units import Scale

# End of a key -> what stands for it in the name, and the unit of its values.
_ENDINGS = {
    "_mj_per_mib": ("", "mJ/MiB"),
    "_mib_per_hour": ("", "MiB/h"),
    "_bytes": (" size", "B"),
    "_mib": ("", "MiB"),
    "_ms": ("", "ms"),
    "_us": ("", "us"),
    "_wh": ("", "Wh"),
    "_s": ("", "s"),
    "_w": ("", "W"),
}
_BASES = {"s": (1.0, "s"), "ms": (1e-3, "s"), "us": (1e-6, "s"), "B": (1.0, "B"), "MiB": (1024.0**2, "B")}
_PATH = re.compile(r"[a-z0-9]+([._][a-z0-9]+)+")
_TITLES = {metric.ensemble_key: metric.title for metric in METRICS if metric.ensemble_key}


def _split(key: str) -> tuple[str, str]:
    """Its words, and the unit of its values."""
    for end, (word, unit) in _ENDINGS.items():
        if key.endswith(end):
            return plain(key.removesuffix(end)) + word, unit
    return plain(key), ""


def key_name(key: str, beside: Iterable[str] = ()) -> str:
    """`ftl.page_bytes`: page size; with its table before it where a key beside it has the same name."""
    last = key.rpartition(".")[2]
    if any(other != key and other.rpartition(".")[2] == last for other in beside):
        return _split(key.replace(".", "_"))[0]
    return _split(last)[0]


def value_text(key: str, value: str) -> str:
    """4096 under `ftl.page_bytes`: 4 KiB."""
    unit = _split(key)[1]
    if not unit or not is_number(value):
        return value.replace("_", " ") if not is_number(value) else value
    factor, base = _BASES.get(unit, (1.0, unit))
    number = float(value) * factor
    if base == "B":
        return units.bytes_text(number)
    return units.seconds(number) if base == "s" else f"{value} {base}"


def point_name(sweep: SweepTable, point: Point) -> str:
    """selection cat, utilization 0.9"""
    return ", ".join(f"{key_name(axis, sweep.axes)} {value_text(axis, point.settings[axis])}" for axis in sweep.axes)


def key_scale(sweep: SweepTable, key: str) -> Scale:
    """Of numbers along an axis."""
    unit = _split(key)[1]
    factor, base = _BASES.get(unit, (1.0, unit))
    largest = max(abs(float(value)) for value in sweep.values(key)) * factor
    scale = units.axis_scale(largest, base)
    return Scale(scale.divisor / factor, scale.unit)


def figure_name(path: str) -> str:
    """`throughput.write_bytes_per_s`: write throughput."""
    if path in _TITLES:
        return _TITLES[path]
    if not _PATH.fullmatch(path):  # an experiment's quantity has a title of its own
        return path
    words = re.sub(r"_(s|j)\b(?=\.)", "", path.replace("by_cause", "")).replace(".", " ")
    for end in ("_bytes_per_s", "_j_per_host_mib", "_bytes", "_s", "_j"):
        words = words.removesuffix(end)
    words = re.sub("_mib$", " in MiB", words)  # beside a time of the same name
    return capitalized(plain("_".join(words.replace("_", " ").split())))


def figure_scale(sweep: SweepTable, figure: SweepFigure) -> Scale:
    """One unit for all points."""
    means = [point.estimates[figure.path].mean for point in sweep.points if figure.path in point.estimates]
    return units.axis_scale(max(map(abs, means), default=0.0), figure.unit)


def with_unit(name: str, scale: Scale) -> str:
    return f"{name}, {scale.unit}" if scale.unit else name


def listed(names: list[str], most: int = 3) -> str:
    """a, b and c; a, b and 3 more."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1} more"]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
