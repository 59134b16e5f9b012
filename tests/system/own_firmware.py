"""The firmware that `ftlab new firmware` writes, from nothing to a result, on both cores.

Usage: own_firmware.py FTLAB [UNITTEST-ARGUMENT...]. Needs the cross compilers. Standard library only.
Environment: FTLAB_SHARE=FIRST/OF = which part of the tests, 0/1 unless given.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

CORES = ("arm", "riscv")
PROGRAM = ""
# What only a firmware that counts could say.
ABSENT = ("write_amplification", "firmware", "host.pages_written", "flash.pages_copied", "wear.data_segments")


def call(*words: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)


def must(*words: str | Path, cwd: Path | None = None) -> str:
    done = call(*words, cwd=cwd)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Project:
    """A firmware of one core, configured and built as its README says."""

    def __init__(self, folder: Path, core: str, part: str = "series2plus") -> None:
        self.folder = folder
        must(PROGRAM, "new", "firmware", folder, "--core", core, "--part", part)
        must("cmake", "--preset", "firmware", cwd=folder)
        self.build()

    def build(self) -> None:
        must("cmake", "--build", "--preset", "firmware", cwd=self.folder)
        self.stale = False

    def run(self, *settings: str, quiet: bool = True) -> subprocess.CompletedProcess[str]:
        if self.stale:
            self.build()
        words = [word for setting in settings for word in ("--set", setting)]
        return call(PROGRAM, "run", "study.toml", "--out", "out/study", *["--quiet"] * quiet, *words, cwd=self.folder)

    def result(self, *settings: str) -> dict:
        done = self.run(*settings)
        if done.returncode != 0 or done.stderr:
            raise AssertionError(f"{settings}: {done.returncode}\n{done.stderr}")
        return json.loads((self.folder / "out/study/result.json").read_text())


def figure(result: dict, path: str) -> object:
    node: object = result
    for key in path.split("."):
        if not isinstance(node, dict) or key not in node:
            return None
        node = node[key]
    return node


def debugged(project: Project, settings: list[str], function: str) -> str:
    """What GDB says of a run that it stops once in the function and then lets go; its result is in out/debugged."""
    command = [PROGRAM, "run", "study.toml", *settings, "--out", "out/debugged", "--quiet", "--gdb", "0"]
    with subprocess.Popen(command, cwd=project.folder, stderr=subprocess.PIPE, text=True) as run:
        try:
            port = re.findall(r"127\.0\.0\.1:(\d+)", run.stderr.readline())[0]
            steps = (
                f"target remote 127.0.0.1:{port}",
                f"break {function}",
                "continue",
                "backtrace",
                "delete",
                "continue",
            )
            words = [word for step in ("set pagination off", *steps) for word in ("-ex", step)]
            said = must("gdb-multiarch", "-nx", "-batch", "build/firmware.elf", *words, cwd=project.folder)
            if run.wait(300) != 0:
                raise AssertionError(f"exit status {run.returncode}")
        finally:
            run.kill()
    return said


# A call of semihosting: operation, argument.
CALL = {
    "arm": '__asm volatile("mov r1, %1\\nmov r0, %0\\nbkpt 0xAB" ::"r"({}), "r"({}) : "r0", "r1", "memory");',
    "riscv": '__asm volatile(".option push\\n.option norvc\\nmv a1, %1\\nmv a0, %0\\nslli x0, x0, 31\\nebreak\\n'
    'srai x0, x0, 7\\n.option pop" ::"r"({}), "r"({}) : "a0", "a1", "memory");',
}


def share_of(tests: unittest.TestSuite) -> unittest.TestSuite:
    """Of all tests, in order, those that FTLAB_SHARE takes."""
    first, of = map(int, os.environ.get("FTLAB_SHARE", "0/1").split("/"))
    cases = [case for suite in tests for case in suite]
    return unittest.TestSuite([case for number, case in enumerate(cases) if number % of == first % of])


class Projects(dict[str, Project]):
    """A project for each core, made once, when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __missing__(self, core: str) -> Project:
        self[core] = Project(self.folder / core, core)
        return self[core]


class WithProjects(unittest.TestCase):
    projects: Projects

    @classmethod
    def setUpClass(cls) -> None:
        cls.scratch = tempfile.TemporaryDirectory()
        cls.projects = Projects(Path(cls.scratch.name))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.scratch.cleanup()


class OwnFirmware(WithProjects):
    def test_layer_passes_its_own_test(self) -> None:
        folder = self.projects["arm"].folder
        must("cmake", "--preset", "test", cwd=folder)
        must("cmake", "--build", "--preset", "test", cwd=folder)
        must("ctest", "--preset", "test", cwd=folder)

    def test_study_runs_to_a_result_that_holds_what_the_part_says(self) -> None:
        programs = set()
        for core in CORES:
            project = self.projects[core]
            with self.subTest(core):
                result = project.result()
                self.assertEqual(result["host"]["wrong_reads"], 0)
                self.assertGreater(result["flash"]["erases"], 20)
                self.assertGreater(result["write_amplification_bytes"], 1.2)
                self.assertLess(result["write_amplification_bytes"], 2)
                self.assertEqual(sum(result["wear"]["erase_counts"]), result["flash"]["erases"])
                for path in ABSENT:
                    self.assertIsNone(figure(result, path), path)
                programs.add((result["flash"]["programs"], result["flash"]["erases"]))
        self.assertEqual(len(programs), 1, "both cores do the same to the part")

    def test_nothing_is_lost_with_power(self) -> None:
        for core in CORES:
            project = self.projects[core]
            with self.subTest(core):
                result = project.result(
                    "power.loss_at_s=[1, 5]", "power.loss_at_program=[40, 500]", "power.loss_at_erase=[3, 5]"
                )
                self.assertEqual(result["power_cycles"]["mounts"], 6)
                self.assertEqual(result["host"]["wrong_reads"], 0)
                self.assertGreater(min(result["power_cycles"]["mount_j"]), 0, "mounts are in the books")

    def test_parts_of_pages_and_a_fuller_queue_are_served(self) -> None:
        result = self.projects["riscv"].result(
            "workload.request_bytes=1536", "workload.queue_depth=4", "workload.total_mib=0.5", "workload.read_share=0.5"
        )
        self.assertEqual(result["host"]["wrong_reads"], 0)

    def test_counters_and_marks_are_in_the_result(self) -> None:
        for core in CORES:
            project = self.projects[core]
            counted = changed(project, "src/main.c", "mark(REQUEST_DONE);", "mark(REQUEST_DONE), count(15, length);")
            with self.subTest(core), counted:
                result = project.result("workload.total_mib=0.5")
                host, processor = result["host"], result["processor"]
                self.assertEqual(processor["counters"], {"15": host["bytes_read"] + host["bytes_written"]})
                served = host["requests"] + 1  # a flush ends the run
                self.assertEqual(processor["marks"], {"0": served, "1": served})
                between = sum(processor["mark_cycles"].values())
                self.assertAlmostEqual(between / processor["cycles"], 1, 3)

    def test_values_of_the_study_reach_the_program(self) -> None:
        short = "workload.total_mib=0.1"
        for core in CORES:
            project = self.projects[core]
            with self.subTest(core):
                offered = {}
                for spare in ('"20 %"', '"50 %"', "200000"):
                    result = project.result(short, f"firmware.values.spare={spare}")
                    offered[spare] = result["device"]["logical_bytes"]
                self.assertEqual(offered['"20 %"'], offered["200000"])
                self.assertAlmostEqual(offered['"50 %"'] / offered['"20 %"'], 5 / 8, 2)
                self.assertEqual(result["config"]["firmware"]["values"], {"spare": 200000})
                must(PROGRAM, "run", "out/study/result.json", "--out", "out/again", "--quiet", cwd=project.folder)
                again = json.loads((project.folder / "out/again/result.json").read_text())
                self.assertEqual(again["config"], result["config"])
                self.assertEqual(again["device"], result["device"])

    def test_a_value_that_the_program_does_not_ask_for_is_named(self) -> None:
        project = self.projects["arm"]
        done = project.run("workload.total_mib=0.1", "firmware.values.spares=1", "power.loss_at_program=[9]")
        self.assertEqual(done.returncode, 0)
        no_effect = "the program has not asked for this value, so it has no effect"
        self.assertEqual(done.stderr, f"ftlab: note: --set: firmware.values.spares: {no_effect}\n")
        with changed(project, "src/part.c", '"spare"', '"spare_share"'):
            done = project.run("workload.total_mib=0.1")
        self.assertEqual(
            done.stderr,
            f"ftlab: note: study.toml:8: firmware.values.spare: {no_effect}; of others it asked for spare_share\n",
        )

    def test_wrong_content_is_seen(self) -> None:
        project = self.projects["arm"]
        place = "flash_read(place[page] / flash.slots, place[page] % flash.slots,"
        with changed(project, "src/ftl.c", place, "flash_read(0, 0,"):
            self.assertGreater(project.result()["host"]["wrong_reads"], 0)

    def test_a_result_is_repeated_with_its_program_alone(self) -> None:
        project = self.projects["arm"]
        first = project.result()
        again = ("run", "out/study/result.json", "--out", "out/again", "--quiet")
        must(PROGRAM, *again, cwd=project.folder)
        second = json.loads((project.folder / "out/again/result.json").read_text())
        for result in (first, second):
            del result["run"]
        self.assertEqual(first, second)
        with changed(project, "src/part.c", "MILLIONTHS / 5", "MILLIONTHS / 4"):
            refused = call(PROGRAM, *again, cwd=project.folder)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("firmware.sha256: build/firmware.elf is another program than this one", refused.stderr)

    def test_a_profile_names_the_functions(self) -> None:
        project = self.projects["riscv"]
        project.build()
        profile = project.folder / "cycles.folded"
        must(PROGRAM, "run", "study.toml", "--profile", profile, "--set", "workload.total_mib=0.1", cwd=project.folder)
        self.assertRegex(profile.read_text(), r"(?m)^host;.*main;.*card_program.* \d+$")

    def test_a_debugger_stops_in_a_source_and_changes_no_figure(self) -> None:
        for core in CORES:
            project = self.projects[core]
            with self.subTest(core):
                plain = project.result("workload.total_mib=0.1")
                said = debugged(project, ["--set", "workload.total_mib=0.1"], "ftl_write")
                self.assertRegex(said, r"Breakpoint 1, ftl_write \(.*length=4096\) at .*/src/ftl.c:\d+")
                self.assertRegex(said, r"#\d+ .* main \(\) at .*/src/main.c:\d+")
                looked = json.loads((project.folder / "out/debugged/result.json").read_text())
                for result in (plain, looked):
                    del result["run"]
                self.assertEqual(plain, looked)

    def test_waits_that_spin_come_to_the_same_counted_and_executed(self) -> None:
        sleeps = '__asm volatile("wfi" ::: "memory");'
        short = ("workload.total_mib=0.1", "workload.fill=false")
        ways = ([], ["platform.quantum_us=20"], ["platform.quantum_us=1000"], ["platform.timing=event"])
        for core in CORES:
            project = self.projects[core]
            with self.subTest(core), changed(project, "core/core.h", sleeps, '__asm volatile("nop");'):
                results = [project.result(*short, *way) for way in ways]
                with mock.patch.dict(os.environ, {"FTLAB_EXECUTE_WAITS": "1"}):
                    results.append(project.result(*short))
                for result in results:
                    del result["run"], result["config"]
                for result in results[:-1]:
                    self.assertEqual(result, results[-1])
                processor = results[-1]["processor"]
                self.assertEqual(processor["asleep_cycles"], 0)
                self.assertGreater(processor["bus_cycles"], processor["cycles"] / 2)

    def test_text_of_the_firmware_is_shown_with_its_time(self) -> None:
        for core in CORES:
            project = self.projects[core]
            plain = project.result("workload.total_mib=0.1")
            said = "  if (report.capacity_bytes == 0) {\n"
            with self.subTest(core), changed(project, "src/main.c", said, '  print("attached\\nno end");\n' + said):
                done = project.run("workload.total_mib=0.1", quiet=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, r"\A\[0\.\d{6} s\] attached\n\[\d+\.\d{6} s\] no end\n\Z")
                self.assertEqual(project.run("workload.total_mib=0.1").stderr, "", "--quiet shows nothing")
                loud = json.loads((project.folder / "out/study/result.json").read_text())
                self.assertEqual(plain["flash"], loud["flash"])

    def test_semihosting_shows_text_and_ends_the_run(self) -> None:
        serve = "    const enum status status = serve"
        for core in CORES:
            project = self.projects[core]
            with self.subTest(core):
                text = "    " + CALL[core].format("4", '"semihosted\\n"') + "\n"
                with changed(
                    project,
                    "src/main.c",
                    serve,
                    text + "    if (kind == WRITE) " + CALL[core].format("0x18", "0x20026") + "\n" + serve,
                ):
                    done = project.run(quiet=False)
                self.assertEqual(done.returncode, 2)
                lines = done.stderr.splitlines()
                self.assertEqual(len(lines), 3, done.stderr)
                for line in lines[:2]:
                    self.assertRegex(line, r"^\[\d+\.\d{6} s\] semihosted$")
                self.assertRegex(
                    lines[2], r"the firmware has ended by semihosting, as a program does that is done; at main"
                )
                with changed(project, "src/main.c", serve, CALL[core].format("1", "0") + "\n" + serve):
                    self.assertIn("asks for operation 0x1 of semihosting; the board has 0x3,", project.run().stderr)

    def test_a_page_shows_the_run(self) -> None:
        project = self.projects["arm"]
        project.result("workload.total_mib=0.1")
        shown = must(PROGRAM, "show", "out/study", cwd=project.folder)
        self.assertIn("firmware of firmware.elf, 4 KiB pages\n", shown)
        self.assertIn("in bytes", shown)
        self.assertNotIn("pages copied", shown)


class OwnFirmwareOnNand(unittest.TestCase):
    """Of the other parts, from the folder on: built, run, without power now and then, debugged, profiled."""

    # A study short enough, and its losses.
    SHORT = {
        "flexonenand": (
            ("workload.total_mib=6", "workload.fill=false"),
            ("power.loss_at_program=[300, 900]", "power.loss_at_erase=[2]"),
        ),
        "array": (
            ("workload.total_mib=24", "part_overrides.segments=12"),
            ("power.loss_at_program=[300, 900]", "power.loss_at_erase=[2]"),
        ),
    }

    def test_a_firmware_for_each_core_and_part(self) -> None:
        for core in CORES:
            for part, short in self.SHORT.items():
                with self.subTest(core=core, part=part), tempfile.TemporaryDirectory() as scratch:
                    self.goes_all_the_way(Project(Path(scratch) / "own", core, part), *short)

    def goes_all_the_way(self, project: Project, short: tuple[str, ...], losses: tuple[str, ...]) -> None:
        if project.folder.joinpath("core/core.c").read_text().startswith("/* ARMv7-M"):
            must("cmake", "--preset", "test", cwd=project.folder)
            must("cmake", "--build", "--preset", "test", cwd=project.folder)
            must("ctest", "--preset", "test", cwd=project.folder)
        result = project.result(*short, *losses)
        self.assertEqual(result["host"]["wrong_reads"], 0)
        self.assertEqual(result["power_cycles"]["losses"], 3)
        self.assertEqual(result["power_cycles"]["mounts"], 3)
        settings = [word for setting in short for word in ("--set", setting)]
        must(
            PROGRAM,
            "run",
            "study.toml",
            *settings,
            "--out",
            "out/p",
            "--profile",
            "cycles",
            "--quiet",
            cwd=project.folder,
        )
        self.assertRegex((project.folder / "cycles").read_text(), r"(?m)^host;.*main;.*flash_program.* \d+$")
        self.assertRegex(
            debugged(project, settings, "flash_program"), r"Breakpoint 1, flash_program \(.*/src/flash.c:\d+"
        )


class changed:
    """The project with one piece of a source replaced, built; as it was afterwards, to be built when it runs again."""

    def __init__(self, project: Project, file: str, old: str, new: str) -> None:
        self.project, self.path, self.old, self.new = project, project.folder / file, old, new

    def __enter__(self) -> None:
        self.before = self.path.read_text()
        if self.before.count(self.old) != 1:
            raise AssertionError(f"{self.path}: {self.old!r} is there {self.before.count(self.old)} times, not once")
        self.path.write_text(self.before.replace(self.old, self.new))
        self.project.build()

    def __exit__(self, *_: object) -> None:
        self.path.write_text(self.before)
        self.project.stale = True


def load_tests(_loader: unittest.TestLoader, tests: unittest.TestSuite, _pattern: str | None) -> unittest.TestSuite:
    return share_of(tests)


if __name__ == "__main__":
    PROGRAM = str(Path(sys.argv.pop(1)).resolve())
    unittest.main()
