"""`ftlab policies --on-parts`: each exchangeable piece of the firmwares in a short run on a NOR card, a Flex-OneNAND
and an array of eight dies: what it makes of the figures, or why it does not work there."""

from __future__ import annotations

import csv
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ftlab.arguments import Parser
from ftlab.errors import InputError, RunError
from ftlab.program import listing, simulate
from ftlab.progress import ProgressLine
from ftlab.result import entry_at
from ftlab.runs import setting
from ftlab.sweeps.pool import jobs_at_once
from ftlab.text_table import Column, table_text, terminal_width
from ftlab.threads import finished
from ftlab.values import flattened, toml

# Small, so that a run takes a second.
PARTS: Mapping[str, Mapping[str, Any]] = {
    "NOR card": {"part": "series2plus-24mb", "host": "pentium-133"},
    "Flex-OneNAND": {
        "part": "flexonenand-4gb",
        "part_profile": "flexfs-calibrated",
        "host": "omap2420-400",
        "part_overrides": {"segments_per_die": 128, "bad_segments.reserve": 4},
    },
    "array, 8 dies": {
        "part": "array-tlc",
        "part_overrides": {"segments": 640, "channels": 4, "dies_per_channel": 2},
        "workload.queue_depth": 32,
    },
}
# Most writes go to few pages, and the host tells which; before what is measured the part is overwritten once.
_LOAD = {
    "ftl.utilization": 0.8,
    "workload": {"kind": "hot_cold", "hot_access": 0.9, "hot_data": 0.1, "warm_up_overwrites": 1, "overwrites": 1},
}
_PARTITIONS = {"trigger": "partition_full", "selection": "partition_fifo", "redistribution": "locality_gathering"}
_ENVY = {**_PARTITIONS, "read_only": "mixed", "partitions": 4}
_FIGURES = (
    ("write amplification", "write_amplification", 1, 3),
    ("time, s", "time.simulated_s", 1, 2),
    ("energy, mJ per MiB", "energy.j_per_host_mib", 1000, 1),
    ("write p99, ms", "latency.write.p99_s", 1000, 2),
)
TITLES = ("key", "name", "firmware", "part", *(title for title, *_ in _FIGURES), "why not")


def pieces() -> Iterator[tuple[str, str, str]]:
    """Key, name and firmware of each, by firmwares."""
    found = []
    for row in listing("policies"):
        table = row["key"].partition(".")[0]
        others = re.findall(r'(also with )?ftl\.firmware = "(\w+)"', row["what it does"])
        # Those of [ftl] are of the FMS, too, unless they are of another firmware alone.
        firmwares = [firmware for _, firmware in others]
        if all(also for also, _ in others):
            firmwares.insert(0, "fms" if table == "ftl" else table)
        found += [(row["key"], row["name"], firmware) for firmware in firmwares]
    order = list(dict.fromkeys(firmware for _, _, firmware in found))
    yield from sorted(found, key=lambda piece: order.index(piece[2]))


def settings_of(key: str, name: str, firmware: str) -> dict[str, Any]:
    """What goes with a piece that does nothing by itself."""
    bare = key.removeprefix("ftl.")
    settings: dict[str, Any] = {"ftl.firmware": firmware}
    if firmware == "fms" and (name in _PARTITIONS.values() or name == "locality_preservation"):
        settings |= {f"ftl.{other}": value for other, value in _ENVY.items()}
    if key == "ftl.pool_choice":
        settings |= {"ftl.separation": "oracle", "ftl.selection": "greedy"}  # which has lists
    if name == "windowed_greedy":
        settings["ftl.window"] = 0.1  # the share that is the default is one segment of these parts, as with lru
    if (bare, name) == ("redistribution", "dac"):
        settings["ftl.read_only"] = "mixed"  # three regions and one for read-only data are more than three in reserve
    if name in ("age_sort", "times_sort"):
        settings["ftl.clean_at_once"] = 3  # with one victim there is little to sort
    if (bare, name) == ("wear_leveling", "swap"):
        settings |= {"ftl.swap_from": 3, "ftl.swap_spread": 2}
    return {**settings, key: name}


def _row(folder: Path, part: str, piece: tuple[str, str, str]) -> list[str]:
    study = folder / f"{list(PARTS).index(part)}.toml"
    key, name, firmware = piece
    out = folder / f"{study.stem}-{key}-{name}-{firmware}"
    try:
        simulate(study, [setting(*one) for one in settings_of(*piece).items()], out)
    except RunError as refused:
        reason = re.sub(rf"({re.escape(str(study))}(:\d+)?|--set): ", "", refused.reason)
        return [key, name, firmware, part, *[""] * len(_FIGURES), reason]
    result = json.loads((out / "result.json").read_bytes())
    figures = [f"{factor * float(entry_at(result, path)):.{decimals}f}" for _, path, factor, decimals in _FIGURES]
    return [key, name, firmware, part, *figures, ""]


def rows(wanted: Sequence[tuple[str, str, str]], at_once: int, quiet: bool = False) -> list[list[str]]:
    """One for each piece and part, in that order."""
    jobs = [(piece, part) for piece in wanted for part in PARTS]
    found: dict[tuple[tuple[str, str, str], str], list[str]] = {}
    with (
        tempfile.TemporaryDirectory(prefix="ftlab-") as scratch,
        ThreadPoolExecutor(at_once) as threads,
        ProgressLine("simulating", "runs", quiet) as progress,
    ):
        for place, tree in enumerate(PARTS.values()):
            lines = [f"{key} = {toml(value)}\n" for key, value in flattened({**_LOAD, **tree}).items()]
            (Path(scratch) / f"{place}.toml").write_text("".join(lines), encoding="utf-8")
        progress.begin(0, len(jobs))
        for job, row in finished(threads, lambda job: _row(Path(scratch), job[1], job[0]), jobs, 2 * at_once):
            found[job] = row
            progress.update(len(found), len(jobs), f"{row[1]} on {row[3]}")
    return [found[job] for job in jobs]


def main(arguments: Sequence[str]) -> int:
    parser = Parser("ftlab policies --on-parts", __doc__ or "")
    parser.add_argument("word", metavar="WORD", nargs="?", default="", help="only those whose key or name has it")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--csv", action="store_true")
    parser.add_argument("--jobs", metavar="N", type=int)
    options = parser.read(arguments)
    word = options.word.lower()
    wanted = [piece for piece in pieces() if any(word in text.lower() for text in piece)]
    if not wanted:
        raise InputError(f"{options.word}: no policy has it in its key or name; `ftlab policies` lists all")
    table = rows(wanted, jobs_at_once(options.jobs))
    if options.json:
        print(json.dumps([dict(zip(TITLES, row, strict=True)) for row in table], indent=2, ensure_ascii=False))
    elif options.csv:
        csv.writer(sys.stdout).writerows([TITLES, *table])
    else:
        numbers = {title for title, *_ in _FIGURES}
        print(table_text([Column(title, title in numbers) for title in TITLES], table, terminal_width()), end="")
    return 0
