"""One simulation."""

from __future__ import annotations

import math
import random
import statistics
from dataclasses import dataclass
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
        "wait_mean_s": 0.0,
        "p50_s": samples[10000],
        "p99_s": samples[19800],
        "p999_s": samples[19980],
        "p9999_s": samples[19998],
        "max_s": samples[-1],
        "histogram": {"edges_s": edges[first : last + 2], "counts": scaled},
    }


def empty_latency() -> Json:
    keys = ("mean_s", "wait_mean_s", "p50_s", "p99_s", "p999_s", "p9999_s", "max_s")
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
        "summary": {
            "device": f"Intel Series 2+ flash memory card, 24 MB at {supply_v:g} V on Pentium 133 with a PCIC bridge",
            "firmware": f"Flash Memory Server, {selection} selection, {redistribution} redistribution, 4 KiB pages",
            "workload": "90 % of writes go to 10 % of the data, 192 MiB written in 4 KiB pages",
        },
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
            "pages_padded": 0,
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
