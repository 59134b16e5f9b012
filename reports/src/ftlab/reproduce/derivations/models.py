"""Write amplification by the analytic models of the program (docs/models.md), asked once for each set of inputs."""

from __future__ import annotations

import functools
import json
from typing import Any

from ftlab.errors import RunError
from ftlab.program import answer


@functools.cache
def _value(model: str, *inputs: tuple[str, float]) -> float:
    words = [word for key, value in inputs for word in ("--set", f"{key}={value!r}")]
    try:
        return float(json.loads(answer("model", model, *words, "--json"))["value"])
    except RunError as refusal:
        raise ValueError(f"model {model}: {refusal.reason}") from None


def lru_model(spare_factor: float) -> float:
    """LRU cleaning, uniform writes (Eq. 3 and 4)."""
    return _value("lru", ("spare_factor", spare_factor))


def greedy_model(spare_factor: float, pages: float) -> float:
    """Greedy cleaning, uniform writes (Eq. 11 and 12); `pages` of a segment."""
    return _value("greedy", ("spare_factor", spare_factor), ("pages_per_segment", int(pages)))


def greedy_exact_model(spare_factor: float, pages: float) -> float:
    """The same without the approximation of Eq. 9."""
    return _value("greedy_exact", ("spare_factor", spare_factor), ("pages_per_segment", int(pages)))


def d_choices_model(spare_factor: float, pages: float, choices: float) -> float:
    """The best of so many segments drawn at random, uniform writes."""
    return _value("d_choices", ("spare_factor", spare_factor), ("pages_per_segment", int(pages)), ("d", int(choices)))


def lru_hot_cold_model(spare_factor: float, access: float, data: float) -> float:
    """LRU cleaning, a share `access` of the writes to a share `data` of the data (Eq. 14)."""
    return _value("lru_hotcold", ("spare_factor", spare_factor), ("access", access), ("data", data))


def greedy_hot_cold_model(spare_factor: float, pages: float, access: float, data: float) -> float:
    """Greedy cleaning of the same (Eq. 16)."""
    return _value(
        "greedy_hotcold",
        ("spare_factor", spare_factor), ("pages_per_segment", int(pages)), ("access", access), ("data", data),
    )  # fmt: skip


def optimal_split_model(spare_factor: float, pages: float, access: float, data: float) -> float:
    """Hot and cold segments apart, greedy, the best division of the spare space (Eq. 20 to 22)."""
    return _pools("optimal_split", spare_factor, pages, access, data)


def cat_linear_model(spare_factor: float, pages: float, access: float, data: float) -> float:
    """The same with CAT and f(age) = age to choose between hot and cold (Eq. 28)."""
    return _pools("cat_linear", spare_factor, pages, access, data)


def cat_log2_model(spare_factor: float, pages: float, access: float, data: float) -> float:
    """The same with f(age) = log2(age) (Eq. 26 and 27)."""
    return _pools("cat_log2", spare_factor, pages, access, data)


def _pools(model: str, spare_factor: float, pages: float, access: float, data: float) -> float:
    return _value(
        model,
        ("spare_factor", spare_factor), ("pages_per_segment", int(pages)), ("access", access), ("data", data),
    )  # fmt: skip


def trace_lru_model(run: Any, spare_factor: float, classes: float) -> float:
    """LRU cleaning of the run's trace: its pages in so many classes by how often they are written, and those that it
    never writes in one more (Eq. 17 to 19)."""
    workload, device = run["config"]["workload"], run["device"]
    return _trace_value(
        workload["path"], workload["format"], tuple(workload["device"]), int(device["page_bytes"]),
        int(device["logical_bytes"]) // int(device["page_bytes"]), spare_factor, int(classes),
    )  # fmt: skip


@functools.cache
def _trace_value(
    path: str, form: str, devices: tuple[str, ...], page: int, pages: int, spare_factor: float, classes: int
) -> float:
    words = [word for device in devices for word in ("--device", device)]
    if form != "auto":
        words += ["--format", form]
    words += ["--page", str(page), "--data-pages", str(pages), "--classes", str(classes)]
    try:
        found = json.loads(answer("trace", "classes", path, *words, "--spare-factor", repr(spare_factor), "--json"))
    except RunError as refusal:
        raise ValueError(f"classes of {path}: {refusal.reason}") from None
    return float(next(row["value"] for row in found["predictions"] if row["model"] == "lru_classes"))
