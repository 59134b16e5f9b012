"""One simulation: result.json, schema ftlab-result version 1.

Invariant after parsing: one erase count for each segment, histograms well formed. Sums are judged in checks.py, since a
page that shows a wrong balance helps more than none.
"""

from __future__ import annotations

from dataclasses import dataclass

from ftlab.json_node import Node, optional, require_schema
from ftlab.report.model.core import Core, parse_core
from ftlab.report.model.latency import Latency, parse_latency
from ftlab.report.model.mounts import Mount, losses_left, parse_mounts
from ftlab.report.model.reliability import parse_reliability

SCHEMA = "ftlab-result"
VERSION = 1
MIB = 1024 * 1024


@dataclass(frozen=True)
class Device:
    part: str
    title: str
    host_profile: str
    host_title: str
    supply_v: float
    segments: int
    segment_bytes: int
    page_bytes: int
    capacity_bytes: int
    logical_bytes: int
    parallel_units: int  # devices that can be busy at the same time
    rated_erase_cycles: int | None


@dataclass(frozen=True)
class Dies:
    """What dies did that work beside the host, whose own time says nothing of them."""

    time_by_cause_s: dict[str, float]
    time_by_operation_s: dict[str, float]
    mean_working: float
    utilization: float  # mean of the dies, 0..1
    channel_utilization: float  # mean of the channels, 0..1


@dataclass(frozen=True)
class Workload:
    kind: str
    title: str
    arrival: str
    utilization: float | None  # None of a firmware from outside, which nobody asks
    measured: str
    trace: dict[str, object]  # facts as written; empty for generated workloads


@dataclass(frozen=True)
class Titles:
    """What ran, a line each; `firmware` is empty in results that do not say it."""

    device: str
    firmware: str
    workload: str


@dataclass(frozen=True)
class Wear:
    mean: float
    stddev: float
    min: float
    max: float
    erase_counts: tuple[int, ...]


@dataclass(frozen=True)
class Energy:
    """Joules; `j_per_host_mib` is None without host writes."""

    total_j: float
    by_operation_j: dict[str, float]
    by_cause_j: dict[str, float]
    by_state_j: dict[str, float]
    j_per_host_mib: float | None

    def background_j(self) -> dict[str, float]:
        """What the device drew without an operation: every state but `active`."""
        return {state: joules for state, joules in self.by_state_j.items() if state != "active"}


@dataclass(frozen=True)
class Interval:
    mean: float
    stddev: float
    low: float
    high: float


@dataclass(frozen=True)
class Ensemble:
    seeds: tuple[int, ...]
    figures: dict[str, Interval]
    warnings: tuple[str, ...] = ()  # what makes the means doubtful


@dataclass(frozen=True)
class WearOverTime:
    """Mean erase counts of cells of neighbouring segments, a row for each time."""

    times_s: tuple[float, ...]
    segments_per_cell: int
    erases: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class SteadyState:
    reached: bool
    drift: float | None  # None where too few overwrites tell


@dataclass(frozen=True)
class Result:
    config: dict[str, object]
    seed: int
    titles: Titles
    device: Device
    workload: Workload
    host: dict[str, float]
    end_reason: str | None  # why the run ended before its workload; None when it did not
    flash: dict[str, float]
    write_amplification: float | None  # None of a firmware that does not count pages
    write_amplification_bytes: float | None  # None without writes, and in results of older programs
    steady_state: SteadyState | None  # None of firmware and workloads that are not asked for it
    firmware: dict[str, float]
    work_s: dict[str, tuple[int, float]]  # kind of work -> (events, seconds)
    wear: Wear
    simulated_s: float
    time_by_cause_s: dict[str, float]
    dies: Dies | None  # None where the part does not tell
    core: Core | None  # None of a firmware that ran natively
    write_bytes_per_s: float
    read_bytes_per_s: float
    energy: Energy
    write_latency: Latency
    read_latency: Latency
    mount_mean_s: float | None  # None without a mount after a loss of power
    losses_left: int  # planned losses of power behind the end of the run
    mounts: tuple[Mount, ...]  # of each loss; empty in results of programs that do not list them
    reliability: dict[str, float]  # key path -> figure, of those that the run has
    ensemble: Ensemble | None
    timeline: dict[str, tuple[float, ...]]  # column -> one value a sample; empty when the run took none
    wear_over_time: WearOverTime | None
    run: dict[str, object]

    @property
    def written_mib(self) -> float:
        return self.host["bytes_written"] / MIB


def _plain(node: Node) -> object:
    return node.value


def _counters(node: Node, required: tuple[str, ...]) -> dict[str, float]:
    for key in required:
        node.get(key).number()
    entries = node.entries()
    return {
        key: item.number()
        for key, item in entries.items()
        if isinstance(item.value, int | float) and not isinstance(item.value, bool)
    }


def _work(node: Node | None) -> dict[str, tuple[int, float]]:
    entries = {} if node is None else node.entries()
    return {kind: (item.get("count").count(), item.get("time_s").number()) for kind, item in entries.items()}


def _device(node: Node) -> Device:
    return Device(
        part=node.get("part").text(),
        title=node.get("title").text(),
        host_profile=node.get("host_profile").text(),
        host_title=node.get("host_title").text(),
        supply_v=node.get("supply_v").number(),
        segments=node.get("segments").count(),
        segment_bytes=node.get("segment_bytes").count(),
        page_bytes=node.get("page_bytes").count(),
        capacity_bytes=node.get("capacity_bytes").count(),
        logical_bytes=node.get("logical_bytes").count(),
        parallel_units=max(1, optional(node.find("parallel_units"), Node.count, 1)),
        rated_erase_cycles=optional(node.find("rated_erase_cycles"), Node.count, None),
    )


def _workload(node: Node) -> Workload:
    trace = node.find("trace")
    return Workload(
        kind=node.get("kind").text(),
        title=node.get("title").text(),
        arrival=node.get("arrival").text(),
        utilization=optional(node.find("utilization"), Node.number, None),
        measured=node.get("measured").text(),
        trace={} if trace is None else {key: _plain(item) for key, item in trace.entries().items()},
    )


def _titles(node: Node | None, device: Device, workload: Workload) -> Titles:
    if node is None:
        return Titles(f"{device.title} on {device.host_title}", "", workload.title)
    return Titles(*(node.get(key).text() for key in ("device", "firmware", "workload")))


def _wear(node: Node, segments: int) -> Wear:
    counts_node = node.get("erase_counts")
    counts = tuple(item.count() for item in counts_node.items())
    if len(counts) != segments:
        raise counts_node.refuse(f"has {len(counts)} entries for {segments} segments")
    return Wear(
        mean=node.get("mean").number(),
        stddev=node.get("stddev").number(),
        min=node.get("min").number(),
        max=node.get("max").number(),
        erase_counts=counts,
    )


def _dies(node: Node, channels: Node) -> Dies:
    return Dies(
        time_by_cause_s=node.get("time_by_cause_s").numbers_by_name(),
        time_by_operation_s=node.get("time_by_operation_s").numbers_by_name(),
        mean_working=node.get("mean_working").number(),
        utilization=node.get("utilization").number(),
        channel_utilization=channels.get("utilization").number(),
    )


def _steady_state(node: Node | None) -> SteadyState | None:
    reached = None if node is None else node.find("reached")
    if node is None or reached is None:
        return None
    return SteadyState(reached.flag(), optional(node.find("drift"), Node.number, None))


def _energy(node: Node) -> Energy:
    return Energy(
        total_j=node.get("total_j").number(),
        by_operation_j=node.get("by_operation_j").numbers_by_name(),
        by_cause_j=node.get("by_cause_j").numbers_by_name(),
        by_state_j=node.get("by_state_j").numbers_by_name(),
        j_per_host_mib=optional(node.find("j_per_host_mib"), Node.number, None),
    )


def _ensemble(node: Node) -> Ensemble:
    return Ensemble(
        seeds=tuple(item.count() for item in node.get("seeds").items()),
        figures={
            key: Interval(*(item.get(part).number() for part in ("mean", "stddev", "low", "high")))
            for key, item in node.get("figures").entries().items()
        },
        warnings=tuple(item.text() for item in node.items_of("warnings")),
    )


def _timeline(node: Node | None) -> dict[str, tuple[float, ...]]:
    columns = {} if node is None else node.entries()
    timeline: dict[str, tuple[float, ...]] = {}
    samples = None
    for name, column in columns.items():
        values = tuple(item.number() for item in column.items())
        samples = len(values) if samples is None else samples
        if len(values) != samples:
            raise column.refuse(f"has {len(values)} entries for {samples} samples")
        timeline[name] = values
    return timeline


def _wear_over_time(node: Node) -> WearOverTime:
    times = tuple(item.number() for item in node.get("time_s").items())
    erases = tuple(tuple(cell.number() for cell in row.items()) for row in node.get("erases").items())
    if len(erases) != len(times) or not times or len({len(row) for row in erases}) != 1:
        raise node.get("erases").refuse("must have a row for each time, all of one length")
    return WearOverTime(times, node.get("segments_per_cell").count(), erases)


def parse_result(root: Node) -> Result:
    """Raises InputError naming file and key."""
    require_schema(root, SCHEMA, VERSION)
    device = _device(root.get("device"))
    workload = _workload(root.get("workload"))
    firmware = root.find("firmware")
    time = root.get("time")
    throughput = root.get("throughput")
    ensemble = root.find("ensemble")
    return Result(
        config={key: _plain(item) for key, item in root.get("config").entries().items()},
        seed=root.get("seed").count(),
        titles=_titles(root.find("summary"), device, workload),
        device=device,
        workload=workload,
        host=_counters(root.get("host"), ("requests", "bytes_written", "bytes_read")),
        end_reason=optional(root.get("host").find("end_reason"), Node.text, None),
        flash=_counters(root.get("flash"), ("erases", "programs", "reads")),
        write_amplification=optional(root.find("write_amplification"), Node.number, None),
        write_amplification_bytes=optional(root.find("write_amplification_bytes"), Node.number, None),
        steady_state=_steady_state(root.find("steady_state")),
        firmware={} if firmware is None else _counters(firmware, ("cleanings",)),
        work_s=_work(None if firmware is None else firmware.find("work")),
        wear=_wear(root.get("wear"), device.segments),
        simulated_s=time.get("simulated_s").number(),
        time_by_cause_s=time.get("by_cause_s").numbers_by_name(),
        dies=optional(root.find("dies"), lambda node: _dies(node, root.get("channels")), None),
        core=optional(root.find("processor"), parse_core, None),
        write_bytes_per_s=throughput.get("write_bytes_per_s").number(),
        read_bytes_per_s=throughput.get("read_bytes_per_s").number(),
        energy=_energy(root.get("energy")),
        write_latency=parse_latency(root.get("latency").get("write")),
        read_latency=parse_latency(root.get("latency").get("read")),
        mount_mean_s=optional(
            optional(root.find("power_cycles"), lambda node: node.find("mount_mean_s"), None), Node.number, None
        ),
        losses_left=losses_left(root.find("power_cycles")),
        mounts=parse_mounts(root.find("power_cycles")),
        reliability=parse_reliability(root),
        ensemble=None if ensemble is None else _ensemble(ensemble),
        timeline=_timeline(root.find("timeline")),
        wear_over_time=optional(root.find("wear_map"), _wear_over_time, None),
        run={key: _plain(item) for key, item in root.get("run").entries().items()},
    )
