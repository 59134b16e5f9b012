"""Response times of one kind of request. Seconds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ftlab.json_node import Node, optional


@dataclass(frozen=True)
class Latency:
    """`edges_s` ascends and has one entry more than `counts`, or both are empty."""

    count: int
    mean_s: float
    wait_mean_s: float  # the part of it in the host's queue; 0 in results that do not say
    p50_s: float
    p99_s: float
    p999_s: float
    max_s: float
    edges_s: tuple[float, ...]
    counts: tuple[int, ...]
    parts_s: dict[str, float]  # what the mean is made of; empty where requests were not followed
    parts_by_percentile: dict[str, dict[str, float]]  # the same of the requests around a percentile

    def slower_than(self) -> list[tuple[float, float]]:
        """(edge in s, share of requests slower than it), from 1 downwards; empty without requests."""
        total = sum(self.counts)
        if total == 0:
            return []
        left = total
        points = [(self.edges_s[0], 1.0)]
        for edge, count in zip(self.edges_s[1:], self.counts, strict=True):
            left -= count
            points.append((edge, left / total))
        return points


def _numbers_by_names(node: Node) -> dict[str, dict[str, float]]:
    return {name: numbers.numbers_by_name() for name, numbers in node.entries().items()}


def parse_latency(node: Node) -> Latency:
    histogram = node.get("histogram")
    edges = tuple(item.number() for item in histogram.get("edges_s").items())
    counts = tuple(item.count() for item in histogram.get("counts").items())
    if (edges or counts) and len(edges) != len(counts) + 1:
        raise histogram.refuse(f"{len(edges)} edges for {len(counts)} counts; there must be one edge more than counts")
    if edges and (edges[0] <= 0 or any(low >= high for low, high in pairwise(edges))):
        raise histogram.refuse("edges_s must start above 0 and ascend")
    return Latency(
        count=node.get("count").count(),
        mean_s=node.get("mean_s").number(),
        wait_mean_s=optional(node.find("wait_mean_s"), Node.number, 0.0),
        p50_s=node.get("p50_s").number(),
        p99_s=node.get("p99_s").number(),
        p999_s=node.get("p999_s").number(),
        max_s=node.get("max_s").number(),
        edges_s=edges,
        counts=counts,
        parts_s=optional(node.find("parts_s"), Node.numbers_by_name, {}),
        parts_by_percentile=optional(node.find("parts_by_percentile"), _numbers_by_names, {}),
    )
