#!/usr/bin/env python3
"""Sessions of GDB on a simulated core, its profile and its coverage: what they show, and that looking changes no figure.

Usage: debug_session.py FTLAB CORE IMAGE. Needs gdb-multiarch. Prints what is wrong and exits 1. Standard library only.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

_STUDY = """
part = "series2plus-4mb"
host = "pentium-133"
[ftl]
utilization = 0.8
[workload]
kind = "hot_cold"
hot_access = 0.9
hot_data = 0.1
total_mib = 1
"""
_CORE_HZ = 64e6
_LONGEST_S = 300

# Commands, and what GDB says to them, in this order.
_LOOKS = (
    ("break ftlab::volume::LogPolicies::pick_victim", r"Breakpoint 1 at 0x[0-9a-f]+"),
    ("continue", r"Breakpoint 1, ftlab::volume::LogPolicies::pick_victim \(this=0x2[0-9a-f]+, die=(die@entry=)?0\)"),
    ("backtrace", r"ftlab::serve \("),
    ("print this->segments_.records_._M_ptr[3]", r"erase_count = \d+, state = ftlab::SegmentState::sealed"),
    ("set $map = this->pages_.places_._M_ptr", ""),
    ("info threads", r"Thread 1 \((host|clean), [0-9.]+ s\)"),
    ("monitor time", r"[0-9.]+ s, \d+ cycles, \d+ instructions since reset"),
    ("monitor cause", r"host|clean"),
    ("finish", r"Value returned is \$\d+ = \d+"),
    ("delete", ""),
    ("break ftlab::PageFtl::submit", r"Breakpoint 2 at"),
    ("continue", r"Breakpoint 2, ftlab::PageFtl::submit"),
    ("delete", ""),
    ("set $entry = $map + request.offset / 4096", ""),
    ("watch *(unsigned*)$entry", r"Hardware watchpoint 3"),
    ("continue", r"Old value = (\d+)\s+New value = (?!\1\b)\d+"),
    ("delete", ""),
    ("x/2xw 0x40000000", r"0x40000000:\s+0x51485446\s+0x0000000[01]"),
    ("x/xw 0x40001018", r"0x40001018:\s+0x00000090"),  # the UART has nothing to send, and has received nothing
    ("x/xw 0x40003000", r"0x40003000:\s+0x00000000"),  # a counter of the trace unit
    ("x/2xw 0x40004004", r"0x40004004:\s+0x00000000\s+0x00000000"),  # no study value is shown
)
# Registers of the core's own: which it is, and its timer.
_OWN_REGISTERS = {
    "arm": (("x/xw 0xE000ED00", r"0xe000ed00:\s+0x410fc241"), ("x/xw 0xE000E010", r"0xe000e010:\s+0x000[01]0007")),
    "riscv": (("x/xw 0x0200BFF8", r"0x200bff8:\s+0x(?!00000000)[0-9a-f]{8}"),),
}
_TO_THE_END = (("stepi", ""), ("next", ""), ("continue", r"exited normally"))
_LOSES_POWER = (
    ("break ftlab::PageFtl::submit", r"Breakpoint 1 at"),
    ("ignore 1 720", ""),
    ("continue", r"Breakpoint 1, ftlab::PageFtl::submit"),
    ("monitor power off", r"power is lost before the next instruction"),
    ("delete", ""),
    ("break ftlab::PageFtl::mount", r"Breakpoint 2 at"),
    ("continue", r"ftlab::PageFtl::mount \("),
    ("monitor cause", r"mount"),
    ("delete", ""),
    ("continue", r"exited normally"),
)


class Wrong(Exception):
    pass


def _result(folder: Path) -> dict[str, object]:
    result: dict[str, object] = json.loads((folder / "result.json").read_text())
    del result["run"]
    return result


class Fixture:
    def __init__(self, ftlab: str, core: str, image: str, folder: Path) -> None:
        self.command = [ftlab, "run", str(folder / "study.toml"), "--on", core, "--quiet", "--force"]
        self.core = core
        self.image = image
        self.folder = folder
        self.environment = {**os.environ, "FTLAB_IMAGE": image}
        (folder / "study.toml").write_text(_STUDY)

    def run(self, name: str, *options: str) -> dict[str, object]:
        out = self.folder / name
        subprocess.run([*self.command, "--out", str(out), *options], check=True, env=self.environment, timeout=_LONGEST_S)
        return _result(out)

    def debug(self, name: str, session: tuple[tuple[str, str], ...]) -> dict[str, object]:
        out = self.folder / name
        command = [*self.command, "--out", str(out), "--gdb", "0"]
        with subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True) as run:
            try:
                assert run.stderr is not None
                port = re.search(r"127\.0\.0\.1:(\d+)", run.stderr.readline())
                if not port:
                    raise Wrong(f"the run does not say its port: {run.stderr.read()}")
                self._talk(port[1], session)
                if run.wait(_LONGEST_S) != 0:
                    raise Wrong(f"the run ends with {run.returncode}: {run.stderr.read()}")
            finally:
                run.kill()
        return _result(out)

    def _talk(self, port: str, session: tuple[tuple[str, str], ...]) -> None:
        lines = ["set pagination off", "set confirm off", f"target remote 127.0.0.1:{port}"]
        for number, (command, _) in enumerate(session):
            lines += [f"echo <{number}>\\n", command]
        script = self.folder / "session.gdb"
        script.write_text("\n".join([*lines, f"echo <{len(session)}>\\n", ""]))
        gdb = ["gdb-multiarch", "-nx", "-batch", "-x", str(script), self.image]
        # What `monitor` prints goes to another place than what GDB says itself, out of order unless it is one.
        done = subprocess.run(gdb, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=_LONGEST_S)
        for number, (command, expected) in enumerate(session):
            said = done.stdout.partition(f"<{number}>\n")[2].partition(f"<{number + 1}>\n")[0]
            if not re.search(expected, said):
                raise Wrong(f"{command}: no {expected!r} in what GDB says:\n{said or done.stdout}")


def _profile(fixture: Fixture, name: str, plain: dict[str, object], *options: str) -> dict[str, str]:
    """Cycles by path. They are those of the measured phase, and whoever asks changes nothing."""
    profile = fixture.folder / name / "cycles.folded"
    if fixture.run(name, "--profile", str(profile), *options) != plain:
        raise Wrong(f"{name}: a profile changes the result")
    named = json.loads((profile.parent / "result.json").read_text())["run"].get("profile")
    if named != profile.name:
        raise Wrong(f"{name}: the result names {named} as its profile, which lies beside it as {profile.name}")
    counts = dict(line.rsplit(" ", 1) for line in profile.read_text().splitlines())
    time = plain["time"]
    assert isinstance(time, dict)
    counted_s = sum(map(int, counts.values())) / _CORE_HZ
    if abs(counted_s - time["simulated_s"]) > 1e-6:
        raise Wrong(f"{name}: the profile holds {counted_s} s, the measured phase took {time['simulated_s']} s")
    return counts


def _lines(tracefile: str) -> dict[str, tuple[dict[int, int], dict[str, int]]]:
    """Of an lcov tracefile: file -> counts by line, and by function. Its own sums have to be right."""
    found = {}
    for record in tracefile.removeprefix("TN:\n").split("end_of_record\n")[:-1]:
        fields = [line.split(":", 1) for line in record.splitlines()]
        assert fields[0][0] == "SF"
        lines = {int(line): int(count) for name, text in fields if name == "DA" for line, count in [text.split(",")]}
        calls = {text.split(",", 1)[1]: int(text.split(",", 1)[0]) for name, text in fields if name == "FNDA"}
        sums = {name: int(text) for name, text in fields if name in ("LF", "LH", "FNF", "FNH")}
        counted = (lines.values(), calls.values())
        if [sums["LF"], sums["FNF"]] != [len(one) for one in counted] or [sums["LH"], sums["FNH"]] != [
            sum(count > 0 for count in one) for one in counted
        ]:
            raise Wrong(f"{fields[0][1]}: {sums} are not the sums of its lines and functions")
        if not Path(fields[0][1]).is_file():
            raise Wrong(f"{fields[0][1]}: is no source that is here")
        found[fields[0][1]] = (lines, calls)
    return found


def _instructions(rows: list[dict[str, str]]) -> None:
    """Each begins where the one before it ends, and has its words, its function and its line."""
    if not rows or not any(row["instruction"] == "wfi" for row in rows):
        raise Wrong(f"{len(rows)} instructions are logged, and none of them sleeps")
    for row, after in zip(rows, rows[1:]):
        if int(row["cycle"]) + int(row["cycles"]) != int(after["cycle"]):
            raise Wrong(f"between {row} and {after} the log has a gap")
    if lacking := [row for row in rows if not (row["instruction"] and row["code"] and row["function"])]:
        raise Wrong(f"the log does not know what it executes: {lacking[0]}")
    if not any("/firmware/" in row["line"] for row in rows):
        raise Wrong("no logged instruction is of a line of the firmware")


def _coverage(fixture: Fixture, plain: dict[str, object], profile: dict[str, str]) -> None:
    """Of the same run as the profile, which it leaves as it is; and a log of its instructions."""
    out = fixture.folder / "covered"
    options = ("--coverage", str(out / "lines.info"), "--profile", str(out / "cycles.folded"))
    log = ("--log-instructions", str(out / "instructions.csv"), "--log-from", "0.1", "--log-to", "0.102")
    if fixture.run("covered", *options, *log) != plain:
        raise Wrong("a coverage changes the result")
    _instructions(list(csv.DictReader((out / "instructions.csv").read_text().splitlines())))
    if dict(line.rsplit(" ", 1) for line in (out / "cycles.folded").read_text().splitlines()) != profile:
        raise Wrong("a coverage changes the profile")
    found = {name.partition("/firmware/")[2]: one for name, one in _lines((out / "lines.info").read_text()).items()}
    lines, calls = found["driver/series2plus/pair_program.cpp"]
    source = (Path(__file__).parents[2] / "firmware/driver/series2plus/pair_program.cpp").read_text().splitlines()
    counted = next(number for number, line in enumerate(source, 1) if "Work::buffer_program" in line)
    program = next(count for name, count in calls.items() if name.startswith("ftlab::PairProgram::program("))
    byte = next(count for name, count in calls.items() if name.startswith("ftlab::PairProgram::program_byte("))
    # A page of 4 KiB and what lies beside it take buffers of 256 bytes in each of two devices.
    if not (program > 256 and lines[counted] > 8 * program // 2 and byte == 0):
        raise Wrong(f"{program} programs, {byte} of single bytes, {lines[counted]} of buffers: not what a card is given")
    lines, calls = found["driver/onenand/sequences.cpp"]
    if not lines or any(lines.values()) or any(calls.values()):
        raise Wrong("the run of a card executes lines of a OneNAND's driver")


def _check(fixture: Fixture) -> None:
    plain = fixture.run("plain")
    if fixture.debug("looked", (*_LOOKS, *_OWN_REGISTERS[fixture.core], *_TO_THE_END)) != plain:
        raise Wrong("a debugger that looks changes the result")
    cycles = fixture.debug("lost", _LOSES_POWER)["power_cycles"]
    assert isinstance(cycles, dict)
    if cycles["mounts"] != 1:
        raise Wrong(f"power was lost, and there were {cycles['mounts']} mounts")
    losses = ("--set", "power.loss_at_s=[0.3, 1.7]")
    _profile(fixture, "profiled across losses", fixture.run("lost as planned", *losses), *losses)
    counts = _profile(fixture, "profiled", plain)
    _coverage(fixture, plain, counts)
    for path in (r"host;.*ftlab::serve;.*;\[bus\]", r"clean;.*ftlab::fms::select::Cat::pick", r"host;.*;ftlab::target::(Clock|PointerPort)::wait\w*;.*(Clock::tick|trap_handler)"):
        if not any(re.match(path, one) for one in counts):
            raise Wrong(f"no path of calls looks like {path}")


def main() -> int:
    ftlab, core, image = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        try:
            _check(Fixture(ftlab, core, image, Path(folder)))
        except (Wrong, subprocess.SubprocessError) as error:
            print(f"{core}: {error}")
            return 1
    print(f"{core}: a debugger, a profile and a coverage look, and change no figure")
    return 0


if __name__ == "__main__":
    sys.exit(main())
