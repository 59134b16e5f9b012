"""Intervals side by side: each gets the first lane that is free, so that none of a lane overlap."""

from __future__ import annotations

import heapq
from collections.abc import Iterable


def lanes_of(intervals: Iterable[tuple[float, float]]) -> list[int]:
    """Of each interval (begin, end), in the order of their begins."""
    free: list[int] = []
    busy: list[tuple[float, int]] = []
    found = []
    used = 0
    for begin, end in intervals:
        while busy and busy[0][0] <= begin:
            heapq.heappush(free, heapq.heappop(busy)[1])
        if free:
            lane = heapq.heappop(free)
        else:
            lane, used = used, used + 1
        heapq.heappush(busy, (end, lane))
        found.append(lane)
    return found
