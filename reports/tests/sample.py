"""Result files of realistic size and shape, made from a seed. Invented numbers; only the format is real."""

from __future__ import annotations

import json
import math
import random
import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MIB = 1024 * 1024
SEGMENTS = 192

Json = dict[str, Any]


@dataclass(frozen=True)
class Policy:
    label: str
    erases: int
    copied: int
    stddev: float
    write_s: float
    erase_j: float = 0.18


POLICIES = (
    Policy("Greedy / M1", 8827, 225068, 11.85, 0.18),
    Policy("Cost-benefit / M4", 5733, 129142, 9.2, 0.117),
    Policy("CAT / M6", 4138, 79705, 5.97, 0.09),
)


def _latency(rng: random.Random, median_s: float, tail: float, count: int) -> Json:
    """A body around the median and a tail of requests that waited for cleaning."""
    edges = [10 ** (-5 + step / 20) for step in range(0, 141)]
    counts = [0] * (len(edges) - 1)
    samples = []
    for _ in range(20000):
        value = median_s * math.exp(rng.gauss(0, 0.12))
        if rng.random() < tail:
            value += 0.7 * rng.randint(1, 3) + rng.random() * 0.3
        samples.append(value)
    for value in samples:
        counts[min(len(counts) - 1, max(0, int((math.log10(value) + 5) * 20)))] += 1
    first = next(index for index, number in enumerate(counts) if number)
    last = max(index for index, number in enumerate(counts) if number)
    scaled = [number * count // len(samples) for number in counts[first : last + 1]]
    samples.sort()
    return {
        "count": sum(scaled),
        "mean_s": statistics.fmean(samples),
        "p50_s": samples[10000],
        "p99_s": samples[19800],
        "p999_s": samples[19980],
        "max_s": samples[-1],
        "histogram": {"edges_s": edges[first : last + 2], "counts": scaled},
    }


def empty_latency() -> Json:
    keys = ("mean_s", "p50_s", "p99_s", "p999_s", "max_s")
    return {"count": 0, **dict.fromkeys(keys, 0.0), "histogram": {"edges_s": [], "counts": []}}


def result(policy: Policy = POLICIES[2], supply_v: float = 5.0, seed: int = 1, reads: bool = True) -> Json:
    rng = random.Random(f"{policy.label}{supply_v}{seed}")
    pages = 49152
    mean = policy.erases / SEGMENTS
    counts = [0] + [max(0, round(rng.gauss(mean, policy.stddev))) for _ in range(SEGMENTS - 1)]
    times = {
        "host": pages * 0.00853,
        "clean": policy.erases * 0.6892 + policy.copied * 0.01075,
        "metadata": pages * 0.0009,
        "wear_level": 3.1,
        "mount": 0.0,
    }
    volts = supply_v / 5.0
    operations = {
        "erase": policy.erases * policy.erase_j * volts,
        "buffer_program": (pages + policy.copied) * 0.0021 * volts,
        "word_program": (pages + policy.copied) * 0.0003 * volts,
        "array_read": policy.copied * 0.0004 * volts,
        "buffer_load": (pages + policy.copied) * 0.0002 * volts,
        "register_access": policy.erases * 0.001 * volts,
        "other": 0.0,
    }
    active = sum(operations.values())
    clean_share = policy.copied / (pages + policy.copied)
    simulated = sum(times.values())
    states = {"active": active, "standby": simulated * 0.0005, "sleep": 0.0}
    total = sum(states.values())
    selection, redistribution = policy.label.lower().split(" / ")
    return {
        "schema": "ftlab-result",
        "version": 1,
        "config": {
            "part": "series2plus-24mb",
            "host": "pentium-133",
            "seed": seed,
            "part_overrides": {},
            "ftl": {
                "page_bytes": 4096,
                "utilization": 0.9,
                "selection": selection,
                "redistribution": redistribution,
                "update": "out_of_place",
            },
            "workload": {"kind": "hot_cold", "hot_access": 0.9, "hot_data": 0.1, "total_mib": 192},
        },
        "seed": seed,
        "device": {
            "part": "series2plus-24mb",
            "title": "Intel Series 2+ flash memory card, 24 MB",
            "host_profile": "pentium-133",
            "host_title": "Pentium 133 with a PCIC bridge",
            "supply_v": supply_v,
            "segments": SEGMENTS,
            "segment_bytes": 131072,
            "page_bytes": 4096,
            "capacity_bytes": SEGMENTS * 131072,
            "logical_bytes": 5245 * 4096,
            "parallel_units": 6,
            "rated_erase_cycles": 100000,
        },
        "workload": {
            "kind": "hot_cold",
            "title": "90 % of writes go to 10 % of the data, 192 MiB written in 4 KiB pages",
            "arrival": "closed_loop",
            "utilization": 0.9,
            "measured": "all writes after the initial fill",
        },
        "host": {
            "requests": pages,
            "reads": 0,
            "writes": pages,
            "pages_written": pages,
            "pages_read": 0,
            "bytes_written": pages * 4096,
            "bytes_read": 0,
            "failed_requests": 0,
            "wrong_reads": None,
        },
        "flash": {
            "erases": policy.erases,
            "pages_copied": policy.copied,
            "programs": (pages + policy.copied) * 2,
            "reads": policy.copied * 2,
        },
        "write_amplification": (pages + policy.copied) / pages,
        "firmware": {
            "cleanings": policy.erases,
            "pages_swapped": 0,
            "work": {
                "page_write": {"count": pages, "time_s": 11.2},
                "page_copy": {"count": policy.copied, "time_s": 22.4},
                "segment_score": {"count": policy.erases * 190, "time_s": 35.1},
            },
        },
        "wear": {
            "mean": statistics.fmean(counts),
            "stddev": statistics.stdev(counts),
            "min": min(counts),
            "max": max(counts),
            "erase_counts": counts,
            "hottest": counts.index(max(counts)),
            "coldest": counts.index(min(counts)),
        },
        "time": {"simulated_s": simulated, "by_cause_s": times, "bus_s": 12.0},
        "throughput": {"write_bytes_per_s": pages * 4096 / simulated, "read_bytes_per_s": 0.0},
        "energy": {
            "total_j": total,
            "by_operation_j": operations,
            "by_cause_j": {"host": active * (1 - clean_share), "clean": active * clean_share},
            "by_state_j": states,
            "j_per_host_mib": total / 192,
        },
        "latency": {
            "write": _latency(rng, 0.0085, policy.write_s, 40000),
            "read": _latency(rng, 0.0012, policy.write_s / 20, 12000) if reads else empty_latency(),
        },
        "run": {
            "ftlab_version": "0.1.0",
            "wall_s": 0.61 + seed * 0.01,
            "cpu_s": 0.58,
            "host_writes_per_cpu_s": 84744.8,
            "peak_rss_bytes": 48 * MIB,
        },
    }


def _energy_row(policy: Policy, supply_v: float) -> Json:
    energy = result(policy, supply_v)["energy"]
    idle = {"standby": energy["by_state_j"]["standby"]}
    return {
        "label": policy.label,
        "supply_v": supply_v,
        "total_j": energy["total_j"] / 192,
        "by_cause_j": {key: value / 192 for key, value in (energy["by_cause_j"] | idle).items()},
        "by_operation_j": {key: value / 192 for key, value in (energy["by_operation_j"] | idle).items()},
    }


def study() -> Json:
    rows = [_energy_row(policy, supply_v) for supply_v in (5.0, 3.3) for policy in POLICIES]
    capacity_j = 2 * 2.0 * 1.5 * 3600
    return {
        "schema": "ftlab-study",
        "version": 1,
        "title": "Three cleaning policies on a 24 MB flash card",
        "summary": "Does it pay to look at age and hotness when cleaning? CAT with fine-grained separation erases less "
        "than half as often as greedy cleaning, on the same card and the same requests.",
        "notes": [
            {
                "level": "warning",
                "text": "The HP trace is not here; a generated workload of the same locality stands in. "
                "The trace can be had at https://example.org/traces/hplajw; pass it with --trace FILE.",
            }
        ],
        "runs": [
            {"label": policy.label, "result": f"runs/{index}/result.json"} for index, policy in enumerate(POLICIES)
        ],
        "energy_per_mib": rows,
        "battery": {
            "description": "Two AA cells feed nothing but the card.",
            "capacity_j": capacity_j,
            "source": "2.0 Ah at 1.5 V each",
            "estimate": True,
            "rows": [
                {
                    "label": row["label"],
                    "supply_v": row["supply_v"],
                    "j_per_host_mib": row["total_j"],
                    "mib_per_charge": capacity_j / row["total_j"],
                    "hours_per_charge": capacity_j / row["total_j"] / 90,
                }
                for row in rows
            ],
        },
    }


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
                "x": {"title": "writes to hot data", "unit": "%", "scale": "linear"},
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


def write_json(path: Path, value: Json) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False), encoding="utf-8")


def write_study(directory: Path) -> Path:
    """A directory with a study, its runs and a reproduction."""
    write_json(directory / "study.json", study())
    for index, policy in enumerate(POLICIES):
        write_json(directory / "runs" / str(index) / "result.json", result(policy))
    write_json(directory / "reproduce.json", reproduction())
    return directory
