"""The figures of merit that runs are compared by: where to find one, how to print it, which way is better."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ftlab.report import units
from ftlab.report.model.result import Interval, Result

ARROWS = {"less": "↓", "more": "↑", "": ""}


@dataclass(frozen=True)
class Metric:
    """`value` returns None where a run has no such figure."""

    key: str
    title: str
    value: Callable[[Result], float | None]
    text: Callable[[float], str]
    better: str  # "less", "more" or "" (neither)
    charted: bool = False
    ensemble_key: str = ""  # key path in result.json's ensemble
    beside: str = ""  # key of a metric; tables leave this one out where it says what that says, of every run

    def interval(self, result: Result) -> Interval | None:
        """Over the seeds; None for a run with one."""
        return None if result.ensemble is None else result.ensemble.figures.get(self.ensemble_key)

    def mean(self, result: Result) -> float | None:
        """Over the seeds, where several were run; a first seed stands for nothing."""
        interval = self.interval(result)
        own = self.value(result)
        return own if own is None or interval is None else interval.mean

    def mean_text(self, result: Result) -> str:
        """Empty where a run has no such figure."""
        mean = self.mean(result)
        return "" if mean is None else self.text(mean)

    def has_news(self, results: Sequence[Result]) -> bool:
        """Some run has it, and it does not repeat the one that it stands beside."""
        own = [self.mean_text(result) for result in results]
        known = [metric(self.beside).mean_text(result) if self.beside else "" for result in results]
        return any(text not in ("", other) for text, other in zip(own, known, strict=True))


def _two_decimals(value: float) -> str:
    return units.fixed(value, 2)


def _per_mib(value: float) -> str:
    return f"{units.joules(value)}/MiB"


def _cleaning_share(result: Result) -> float | None:
    """None with several seeds: an ensemble has no mean of it, and the first seed stands for nothing. Nor where dies
    work beside the host, which hardly waits for their cleaning."""
    if result.ensemble is not None or result.dies is not None or not result.simulated_s:
        return None
    return result.time_by_cause_s.get("clean", 0.0) / result.simulated_s


def _cleaning_share_of_dies(result: Result) -> float | None:
    if result.ensemble is not None or result.dies is None:
        return None
    worked = sum(result.dies.time_by_cause_s.values())
    return result.dies.time_by_cause_s.get("clean", 0.0) / worked if worked else None


METRICS: tuple[Metric, ...] = (
    Metric("erases", "Segments erased", lambda r: r.flash["erases"], units.mean_count, "less", True, "flash.erases"),
    Metric(
        "copied",
        "Pages copied",
        lambda r: r.flash.get("pages_copied"),
        units.mean_count,
        "less",
        True,
        "flash.pages_copied",
    ),
    Metric(
        "write_amplification",
        "Write amplification",
        lambda r: r.write_amplification if r.host["bytes_written"] else None,
        _two_decimals,
        "less",
        True,
        "write_amplification",
    ),
    Metric(
        "write_amplification_bytes",
        "Bytes programmed for each byte written",
        lambda r: r.write_amplification_bytes,
        _two_decimals,
        "less",
        False,
        "write_amplification_bytes",
        beside="write_amplification",
    ),
    Metric("simulated", "Simulated time", lambda r: r.simulated_s, units.seconds, "less", False, "time.simulated_s"),
    Metric(
        "throughput",
        "Write throughput",
        lambda r: r.write_bytes_per_s if r.host["bytes_written"] else None,
        units.rate,
        "more",
        True,
        "throughput.write_bytes_per_s",
    ),
    Metric(
        "read_throughput",
        "Read throughput",
        lambda r: r.read_bytes_per_s if r.host["bytes_read"] else None,
        units.rate,
        "more",
        False,
        "throughput.read_bytes_per_s",
    ),
    Metric(
        "energy",
        "Energy per MiB written",
        lambda r: r.energy.j_per_host_mib,
        _per_mib,
        "less",
        True,
        "energy.j_per_host_mib",
    ),
    Metric("energy_total", "Energy, total", lambda r: r.energy.total_j, units.joules, "less", False, "energy.total_j"),
    Metric(
        "cleaning_share",
        "Share of time spent cleaning",
        _cleaning_share,
        units.percent,
        "less",
    ),
    Metric(
        "cleaning_share_of_dies",
        "Share of the dies' working time spent cleaning",
        _cleaning_share_of_dies,
        units.percent,
        "less",
    ),
    Metric(
        "die_utilization",
        "Utilization of the dies",
        lambda r: r.dies.utilization if r.dies is not None else None,
        units.percent,
        "",
        False,
        "dies.utilization",
    ),
    Metric(
        "channel_utilization",
        "Utilization of the channels",
        lambda r: r.dies.channel_utilization if r.dies is not None else None,
        units.percent,
        "",
        False,
        "channels.utilization",
    ),
    Metric(
        "write_mean",
        "Write latency, mean",
        lambda r: r.write_latency.mean_s if r.write_latency.count else None,
        units.seconds,
        "less",
        False,
        "latency.write.mean_s",
    ),
    Metric(
        "write_p99",
        "Write latency, 99th percentile",
        lambda r: r.write_latency.p99_s if r.write_latency.count else None,
        units.seconds,
        "less",
        True,
        "latency.write.p99_s",
    ),
    Metric(
        "read_p99",
        "Read latency, 99th percentile",
        lambda r: r.read_latency.p99_s if r.read_latency.count else None,
        units.seconds,
        "less",
        False,
        "latency.read.p99_s",
    ),
    Metric(
        "mount_mean",
        "Mount after a loss of power, mean",
        lambda r: r.mount_mean_s,
        units.seconds,
        "less",
        False,
        "power_cycles.mount_mean_s",
    ),
    Metric(
        "wear_mean", "Erase count per segment, mean", lambda r: r.wear.mean, _two_decimals, "less", False, "wear.mean"
    ),
    Metric(
        "wear_stddev",
        "Erase count, standard deviation",
        lambda r: r.wear.stddev,
        _two_decimals,
        "less",
        True,
        "wear.stddev",
    ),
    Metric(
        "wear_max",
        "Erase count, most erased segment",
        lambda r: r.wear.max,
        units.mean_count,
        "less",
        False,
        "wear.max",
    ),
)


def wanted(comparable: bool) -> str:
    """A sentence for captions: what the arrows mean, or why there are none."""
    if not comparable:
        return " The runs did different work, so none is called better or worse."
    return f" {ARROWS['less']} less is better, {ARROWS['more']} more is better."


def metric(key: str) -> Metric:
    return next(item for item in METRICS if item.key == key)
