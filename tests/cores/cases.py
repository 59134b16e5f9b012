"""Studies of each firmware on each part that come to the same on a simulated core as natively, drawn by chance.

Knows no run. With one die, dies in turn or writes alone no decision depends on when an operation ends.
"""

from __future__ import annotations

import random
from collections.abc import Callable

# Selections that read no clock. Of those that draw, dies draw in the order in which they come to clean.
_SELECTIONS = ("greedy", "lru", "windowed_greedy")

Keys = dict[str, str]


def _card(dice: random.Random) -> Keys:
    return {
        "part": "series2plus-4mb",
        "ftl.utilization": f"{dice.uniform(0.6, 0.75):.3f}",
        "workload.total_mib": f"{dice.uniform(8, 14):.2f}",
    }


def _onenand(dice: random.Random, part: str = "flexonenand-4gb") -> Keys:
    return {
        "part": part,
        "part_overrides.segments_per_die": "16",
        "part_overrides.bad_segments.reserve": "1",
        "host": "omap2420-400",
        "ftl.utilization": f"{dice.uniform(0.5, 0.7) if part == 'flexonenand-4gb' else dice.uniform(0.3, 0.36):.3f}",
        "workload.total_mib": f"{dice.uniform(60, 100):.1f}",
    }


def _array(dice: random.Random, dies: int) -> Keys:
    return {
        "part": dice.choice(("array-slc", "array-mlc", "array-tlc")),
        "part_overrides.content": "bytes",
        "part_overrides.segments": str(24 * dies),
        "part_overrides.pages_per_segment": "24",
        "part_overrides.channels": "1",
        "part_overrides.dies_per_channel": str(dies),
        "ftl.utilization": f"{dice.uniform(0.4, 0.6):.3f}",
        "workload.warm_up_overwrites": "0",
        "workload.overwrites": f"{dice.uniform(40, 60):.1f}",
    }


def _fms(keys: Keys, dice: random.Random) -> Keys:
    return keys | {
        "ftl.firmware": "fms",
        "ftl.selection": "greedy",
        "workload.queue_depth": str(dice.randint(1, 8)),
        "ftl.redistribution": dice.choice(("sequential", "fine_grained")),
    }


def _page(keys: Keys, dice: random.Random, most: int = 16) -> Keys:
    return keys | {
        "ftl.firmware": "page",
        "ftl.selection": dice.choice(_SELECTIONS),
        "ftl.die_choice": "in_turn",
        "ftl.separation": dice.choice(("none", "sepbit")),
        "workload.queue_depth": str(dice.randint(2, most)),
    }


def _flexfs(keys: Keys, dice: random.Random) -> Keys:
    scheme = dice.choice(("slc_only", "jffs2", "baseline"))
    share = 0.5 if scheme == "slc_only" else 1
    return keys | {
        "ftl.firmware": "flexfs",
        "flexfs.scheme": scheme,
        "flexfs.wear_management": "false",
        "ftl.utilization": f"{dice.uniform(0.4, 0.55) * share:.3f}",
        "workload.queue_depth": str(dice.randint(1, 8)),
    }


def _in_place(keys: Keys, dice: random.Random, total: Keys) -> Keys:
    depth = str(dice.randint(1, 8))
    return keys | {"ftl.firmware": "in_place", "ftl.utilization": "0.5", "workload.queue_depth": depth} | total


# With these, and no more in flight than there are dies, nothing depends on when an operation ends: not what is
# overwritten before a cleaning has copied it, and not what a separation finds written by then.
_WRITES_ALONE = {"workload.read_share": "0", "ftl.separation": "none"}

# The names are what --only looks for.
CASES: dict[str, Callable[[random.Random], Keys]] = {
    "fms-nor": lambda dice: _fms(_card(dice), dice),
    "fms-onenand": lambda dice: _fms(_onenand(dice), dice),
    "fms-array": lambda dice: _fms(_array(dice, 1), dice),
    "page-nor": lambda dice: _page(_card(dice), dice),
    "page-onenand": lambda dice: _page(_onenand(dice, "flexonenand-8gb-ddp"), dice, 2) | _WRITES_ALONE,
    "page-array": lambda dice: _page(_array(dice, 4), dice, 4) | _WRITES_ALONE,
    "flexfs-onenand": lambda dice: _flexfs(_onenand(dice) | {"part_overrides.segments_per_die": "32"}, dice),
    "flexfs-array": lambda dice: _flexfs(_array(dice, 1) | {"part": "array-mlc"}, dice),
    "in-place-nor": lambda dice: _in_place(_card(dice), dice, {"workload.total_mib": "0.6"}),
    "in-place-onenand": lambda dice: _in_place(_onenand(dice), dice, {"workload.total_mib": "3"}),
    "in-place-array": lambda dice: _in_place(_array(dice, 4), dice, {"workload.overwrites": "3"}),
}
