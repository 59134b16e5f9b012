"""Published numbers beside invented ones of ours."""

from __future__ import annotations

import random

from sample.result import Json


def _cell(rng: random.Random, quantity: str, paper: float | None, tolerance: float | None, absolute: bool) -> Json:
    ours = (paper or 10.0) * (1 + rng.gauss(0, 0.008)) if not absolute else (paper or 0.0) + rng.choice((0, 0, 1))
    error = 0.0 if absolute else abs(ours) * 0.002
    deviation = None if paper is None else (ours - paper if absolute else ours / paper - 1)
    scaled = error if absolute or not paper else error / paper
    allowed = None if tolerance is None else tolerance + 2 * scaled
    judged = deviation is not None and allowed is not None
    passed = judged and abs(deviation or 0.0) <= (allowed or 0.0)
    return {
        "quantity": quantity,
        "paper": paper,
        "ours": ours,
        "standard_error": error,
        "deviation": deviation,
        "deviation_kind": "absolute" if absolute else "relative",
        "tolerance": tolerance,
        "allowed": allowed,
        "verdict": ("pass" if passed else "fail") if judged else "reported",
    }


def _throughput(rows: list[Json]) -> Json:
    """Many long names, values over two decades."""
    points: dict[str, list[Json]] = {"paper": [], "ours": []}
    for row in rows:
        cell = row["cells"][2]
        name = ", ".join(row["keys"].values())
        points["paper"].append({"x": name, "y": cell["paper"]})
        points["ours"].append({"x": name, "y": cell["ours"]})
    return {
        "name": "fms-table4-throughput",
        "title": "Average throughput, paper and ours",
        "kind": "bar",
        "x": {"title": "machine, workload, policy", "unit": "", "scale": "category"},
        "y": {"title": "throughput", "unit": "bytes/s", "scale": "log"},
        "series": [{"label": label, "paper": label == "paper", "points": found} for label, found in points.items()],
    }


def _table4() -> Json:
    rng = random.Random(4)
    published = {
        "sequential": ((1567, 0, 134441, 2.63), (1568, 0, 134334, 2.64), (1568, 0, 133950, 2.64)),
        "random": ((7103, 171624, 27989, 4.03), (7265, 176634, 27118, 3.51), (7241, 175891, 25055, 2.96)),
        "locality 90/10": ((8827, 225068, 22680, 11.85), (5733, 129142, 34980, 9.2), (4138, 79705, 44263, 5.97)),
    }
    rows: list[Json] = []
    for machine in ("Pentium 133", "486DX-33"):
        for workload, policies in published.items():
            for policy, (erases, copied, throughput, spread) in zip(
                ("greedy", "cost-benefit", "CAT"), policies, strict=True
            ):
                exact = workload == "sequential"
                slow = machine != "Pentium 133"
                cells: list[Json] = [
                    _cell(rng, "erasures", erases, 1 if exact else 0.03, exact),
                    _cell(rng, "copied", copied, 1 if exact else 0.03, exact),
                    _cell(rng, "throughput", throughput, None if slow else 0.03, False),
                    _cell(rng, "spread", spread, 0.2 if slow else 0.15, False),
                ]
                if slow:
                    cells[2]["note"] = "known not to fit costs that do not depend on the workload"
                rows.append({"keys": {"machine": machine, "workload": workload, "policy": policy}, "cells": cells})
    rows[7]["cells"][3] |= {"ours": 11.6, "deviation": 11.6 / 9.2 - 1, "verdict": "fail"}
    return {
        "name": "fms-table4",
        "title": "Table 4: cleaning policies on two machines",
        "paper_source": "Chiang, Lee, Chang: Cleaning policies in mobile computers using flash memory, Table 4",
        "about": "192 MB written in 4 KB blocks at 90 % utilization; age is counted in host writes.",
        "seeds": [1, 2, 3, 4],
        "verdict": "fail",
        "keys": [
            {"name": "machine", "title": "Machine"},
            {"name": "workload", "title": "Workload"},
            {"name": "policy", "title": "Policy"},
        ],
        "quantities": [
            {"name": "erasures", "title": "Erasures E", "unit": "", "decimals": 0},
            {"name": "copied", "title": "Blocks copied B", "unit": "", "decimals": 0},
            {"name": "throughput", "title": "Throughput", "unit": "bytes/s", "decimals": 0},
            {"name": "spread", "title": "Uneven wear D", "unit": "", "decimals": 2},
        ],
        "rows": rows,
        "plots": [_throughput(rows)],
        "notes": ["The mapping unit that the paper calls a block is a page here."],
    }


def _breakdown() -> Json:
    rng = random.Random(11)
    cells = {"sequential": 72.06, "random": 94.42, "locality 90/10": 92.90}
    rows = []
    for workload, paper in cells.items():
        ours = paper + rng.gauss(0, 0.2)
        rows.append(
            {
                "keys": {"workload": workload},
                "cells": [
                    {
                        "quantity": "share",
                        "paper": paper,
                        "ours": ours,
                        "standard_error": 0.02,
                        "deviation": ours - paper,
                        "deviation_kind": "absolute",
                        "tolerance": 1.0,
                        "allowed": 1.04,
                        "verdict": "pass",
                    }
                ],
            }
        )
    return {
        "name": "fms-breakdown",
        "title": "Fig. 11: share of time spent cleaning",
        "paper_source": "Technical report, Fig. 11",
        "seeds": [1, 2],
        "verdict": "pass",
        "keys": [{"name": "workload", "title": "Workload"}],
        "quantities": [{"name": "share", "title": "Cleaning share", "unit": "%", "decimals": 2}],
        "rows": rows,
        "sensitivity": {
            "effects": [
                {
                    "name": "host work.page_write",
                    "used": "228 us",
                    "keys": {"workload": workload},
                    "quantity": "share",
                    "ours": paper,
                    "variants": [{"value": "182.4 us", "ours": paper + 1}, {"value": "273.6 us", "ours": paper - 1}],
                }
                for workload, paper in cells.items()
            ]
            + [
                {
                    "name": "power.low_power_after_ms",
                    "used": "10 ms",
                    "keys": {"workload": "random"},
                    "quantity": "share",
                    "ours": 94.42,
                    "variants": [{"value": f"{ms} ms", "ours": 94.0} for ms in (8, 12, 100)],
                }
            ],
            "without_effect": ["ftl.low_water", "host timer_tick"],
        },
        "plots": [
            {
                "name": "fms-breakdown-bars",
                "title": "Share of time spent cleaning",
                "kind": "bar",
                "x": {"title": "workload", "unit": "", "scale": "category"},
                "y": {"title": "cleaning share", "unit": "%", "scale": "linear"},
                "series": [
                    {"label": "paper", "paper": True, "points": [{"x": x, "y": y} for x, y in cells.items()]},
                    {
                        "label": "ours",
                        "paper": False,
                        "points": [{"x": x, "y": y - 0.3, "low": y - 0.5, "high": y} for x, y in cells.items()],
                    },
                ],
            }
        ],
    }


def _locality() -> Json:
    localities = (50, 60, 70, 80, 90, 95)
    return {
        "name": "fms-locality-95",
        "title": "Effect of locality",
        "paper_source": "Section 5.2",
        "seeds": [1],
        "verdict": "reported",
        "keys": [{"name": "what", "title": "What"}],
        "quantities": [{"name": "gain", "title": "Gain of CAT", "unit": "%", "decimals": 1}],
        "rows": [
            {
                "keys": {"what": "erasures against greedy"},
                "cells": [
                    {
                        "quantity": "gain",
                        "paper": None,
                        "ours": -69.3,
                        "standard_error": None,
                        "deviation": None,
                        "deviation_kind": "absolute",
                        "tolerance": None,
                        "allowed": None,
                        "verdict": "reported",
                    }
                ],
            }
        ],
        "plots": [
            {
                "name": "fms-locality-lines",
                "title": "Erasures over locality of reference",
                "caption": "Share of writes that go to the hot tenth.",
                "kind": "line",
                "x": {"title": "writes to hot data", "unit": "%", "scale": "log"},
                "y": {"title": "erasures", "unit": "", "scale": "linear"},
                "series": [
                    {
                        "label": label,
                        "paper": paper,
                        "points": [
                            {"x": x, "y": 7100 + sign * (x - 50) * 45, "low": 7000 + sign * (x - 50) * 45,
                             "high": 7200 + sign * (x - 50) * 45}
                            for x in localities
                        ],
                    }
                    for label, paper, sign in (("greedy", False, 1), ("CAT", False, -1), ("CAT, paper", True, -1.03))
                ],
            }
        ],
    }  # fmt: skip


def reproduction() -> Json:
    return {
        "schema": "ftlab-reproduce",
        "version": 1,
        "title": "What the papers printed, and what comes out here",
        "notes": [],
        "experiments": [_table4(), _breakdown(), _locality()],
        "parameters": [
            {
                "name": "host.page_write_us",
                "title": "CPU time per page written",
                "value": 228.0,
                "unit": "µs",
                "fitted": True,
                "source": "fitted to the sequential throughput of Table 4",
                "group": "pentium-133",
            },
            {
                "name": "part.tWHEH",
                "value": 0.6,
                "unit": "s",
                "fitted": False,
                "source": "28F016SA data sheet, table 12, typical",
                "group": "series2plus-24mb",
            },
            {
                "name": "ftl.age_exponent",
                "value": 0.3,
                "unit": "",
                "fitted": False,
                "free": True,
                "source": "not published",
                "note": "erasures move by less than 4 % between 0.25 and 0.35",
            },
        ],
        "not_reproduced": [
            {
                "title": "Throughput on the 486",
                "text": "No set of costs that does not depend on the workload explains its rows.",
            }
        ],
    }


def weighed() -> Json:
    """One experiment: five policies on two parts, three figures weighed; `beaten` is as it follows from them."""
    figures = {
        "greedy": (4.5, 967.0, 426.0, 0), "cat": (2.4, 995.0, 356.0, 0), "fifo": (5.2, 1004.0, 433.0, 0),
        "random": (7.7, 1030.0, 300.0, 3), "in_place": (32.0, 960.0, 28.0, 0),
    }  # fmt: skip
    quantities = ["amplification", "p99", "life", "beaten"]
    part = _locality() | {
        "name": "policies",
        "title": "Every policy",
        "keys": [{"name": "part", "title": "Part"}, {"name": "policy", "title": "Policy"}],
        "quantities": [
            {"name": name, "title": title, "unit": unit, "decimals": 1}
            for name, title, unit in zip(
                quantities, ("Write amplification", "p99", "Lifetime", "Beaten by"), ("", "ms", "GiB", ""), strict=True
            )
        ],
        "rows": [
            {
                "keys": {"part": part, "policy": policy},
                "cells": [
                    {"quantity": name, "ours": value, "deviation_kind": "relative", "verdict": "reported"}
                    for name, value in zip(quantities, values, strict=True)
                ],
            }
            for part in ("NOR", "NAND")
            for policy, values in figures.items()
        ],
        "plots": [],
        "notes": ["Said once."],
        "trade_off": {
            "over": "policy",
            "beaten": "beaten",
            "figures": [
                {"quantity": name, "wanted": wanted}
                for name, wanted in (("amplification", "less"), ("p99", "less"), ("life", "more"))
            ],
        },
    }
    return reproduction() | {"experiments": [part]}
