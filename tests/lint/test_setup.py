"""Rules of the set-up scripts and of the test runner, shown with imitated system tools in a scratch tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = """# group package probe
runtime tool-a command:tool-a
runtime tool-b command:tool-b|tool-b2
runtime tool-c command:tool-c optional
test    tool-d command:tool-d
"""
_DPKG = '#!/bin/sh\nfor name in $INSTALLED; do echo "$name installed"; done\n'
# Notes what it is asked; the first install fails when the index is stale.
_APT = """#!/bin/sh
echo "$@" >>"$NOTES"
case "$1" in
  update) rm -f "$STALE" ;;
  install) [ ! -e "$STALE" ] ;;
esac
"""


class Scratch(unittest.TestCase):
    def setUp(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = Path(self._folder.name)
        shutil.copytree(_ROOT / "cmake" / "setup", self.root / "cmake" / "setup")
        (self.root / "cmake" / "debian-packages.txt").write_text(_PACKAGES)
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for name in ("sh", "awk", "cut", "cat", "env", "grep", "head", "tail", "tr", "mktemp", "rm", "mkdir", "date", "dirname"):
            found = shutil.which(name)
            assert found is not None
            (self.bin / name).symlink_to(found)
        self.tool("id", '#!/bin/sh\necho "${USER_ID:-0}"\n')

    def tool(self, name: str, text: str = "#!/bin/sh\n") -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def debian(self, stale: bool = False) -> None:
        self.tool("dpkg-query", _DPKG)
        self.tool("apt-get", _APT)
        if stale:
            (self.root / "stale").touch()

    def sh(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", script],
            env={
                "PATH": str(self.bin),
                "FTLAB_ROOT": str(self.root),
                "NOTES": str(self.root / "notes"),
                "STALE": str(self.root / "stale"),
                "TMPDIR": str(self.root),
                "INSTALLED": "",
                **environment,
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def ensure(self, groups: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return self.sh(f'. "$FTLAB_ROOT/cmake/setup/packages.sh"; ensure_packages {groups}', **environment)

    def asked_of_apt(self) -> list[str]:
        notes = self.root / "notes"
        return notes.read_text().splitlines() if notes.exists() else []


class Packages(Scratch):
    def test_nothing_missing_is_silent(self) -> None:
        self.debian()
        done = self.ensure("runtime", INSTALLED="tool-a tool-b tool-c")
        self.assertEqual((done.returncode, done.stdout, done.stderr, self.asked_of_apt()), (0, "", "", []))

    def test_only_what_is_missing_is_installed_by_name(self) -> None:
        self.debian()
        done = self.ensure("runtime test", INSTALLED="tool-a tool-c")
        self.assertEqual(done.returncode, 0, done.stderr)
        asked = self.asked_of_apt()
        self.assertEqual(len(asked), 1, asked)
        self.assertTrue(asked[0].endswith(" tool-b tool-d"), asked)

    def test_groups_not_asked_for_are_left_alone(self) -> None:
        self.debian()
        self.assertEqual(self.ensure("test", INSTALLED="tool-d").returncode, 0)
        self.assertEqual(self.asked_of_apt(), [])

    def test_what_is_there_without_a_package_counts(self) -> None:
        self.debian()
        self.tool("tool-b2")
        self.assertEqual(self.ensure("runtime", INSTALLED="tool-a tool-c").returncode, 0)
        self.assertEqual(self.asked_of_apt(), [])

    def test_index_is_refreshed_only_after_a_failed_install(self) -> None:
        self.debian(stale=True)
        self.assertEqual(self.ensure("test").returncode, 0)
        self.assertEqual([line.split()[0] for line in self.asked_of_apt()], ["install", "update", "install"])

    def test_without_root_and_sudo_the_command_to_run_is_named(self) -> None:
        self.debian()
        done = self.ensure("test", USER_ID="1000")
        self.assertEqual(done.returncode, 1)
        self.assertIn("run as root: apt-get install tool-d", done.stderr)
        self.assertEqual(self.asked_of_apt(), [])

    def test_elsewhere_missing_things_are_listed_but_optional_ones_not_demanded(self) -> None:
        self.tool("tool-a")
        done = self.ensure("runtime")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tool-b", done.stderr)
        self.assertNotIn("tool-a", done.stderr)
        self.assertNotIn("tool-c", done.stderr)
        self.tool("tool-b")
        self.assertEqual(self.ensure("runtime").returncode, 0)

    def test_python_environment_is_made_between_its_packages_and_the_others(self) -> None:
        self.debian()
        (self.root / "cmake" / "debian-packages.txt").write_text("python py python:no\n" + _PACKAGES)
        self.tool("python3", "#!/bin/sh\nexit 1\n")
        (self.root / "reports").mkdir()
        made = self.root / "reports" / "make-venv"
        made.write_text('#!/bin/sh\necho "make-venv $*" >>"$NOTES"\n')
        made.chmod(0o755)
        script = '. "$FTLAB_ROOT/cmake/setup/packages.sh"; . "$FTLAB_ROOT/cmake/setup/build.sh"; packages_and_python --dev test; wait'
        self.assertEqual(self.sh(script, INSTALLED="tool-d").returncode, 0)
        # That `py` stays missing is this imitation's: a second call asks for it again.
        self.assertIn(" py", self.asked_of_apt()[0])
        self.assertIn("make-venv --dev", self.asked_of_apt())


# Configures like the real one: the cache names the source folder, and what is built names what the cache does.
_CMAKE = """#!/bin/sh
echo "$@" >>"$NOTES"
case "$1" in
  --preset)
    tree=build/$2
    if [ -f "$tree/CMakeCache.txt" ]; then exit 0; fi
    mkdir -p "$tree"
    echo "CMAKE_HOME_DIRECTORY:INTERNAL=$(pwd)" >"$tree/CMakeCache.txt" ;;
  --build)
    home=$(grep HOME "$2/CMakeCache.txt" | cut -d= -f2)
    printf '#!/bin/sh\\necho "built from %s"\\n' "$home" >"$2/ftlab"
    chmod +x "$2/ftlab" ;;
esac
"""
# Makes environments whose programs start its Python by its path.
_PYTHON = """#!/bin/sh
case "$*" in
  "-m venv "*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
  "-m pip install"*) echo "#!$0" >"${0%/*}/pytest"; chmod +x "${0%/*}/pytest" ;;
  *sysconfig*) echo "${0%/*}" ;;
esac
"""


class Copied(Scratch):
    """A checkout that was copied with everything made in it."""

    def setUp(self) -> None:
        super().setUp()
        for name in ("grep", "cp", "chmod", "cksum", "sh"):
            found = shutil.which(name)
            assert found is not None
            if not (self.bin / name).exists():
                (self.bin / name).symlink_to(found)
        self.tool("cmake", _CMAKE)
        self.tool("python3", _PYTHON)
        self.tool("tool-a"), self.tool("tool-b"), self.tool("tool-d")
        self.original = self.root / "original"
        self.copy = self.root / "a copy"
        self.original.mkdir()
        (self.root / "cmake").rename(self.original / "cmake")
        shutil.copy(_ROOT / "ftlab", self.original)

    def copy_all(self) -> None:
        shutil.copytree(self.original, self.copy, symlinks=True)

    def notes(self) -> list[str]:
        notes = self.root / "notes"
        lines = notes.read_text().splitlines() if notes.exists() else []
        notes.unlink(missing_ok=True)
        return lines

    def program(self, root: Path) -> str:
        done = self.sh(f"exec '{root}/ftlab' run")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def test_each_builds_its_own_sources(self) -> None:
        self.assertEqual(self.program(self.original), f"built from {self.original.resolve()}")
        tree = self.original / "build" / "release"
        for name in (".ninja_log", "corpus"):
            (tree / name).touch()
        self.copy_all()
        self.assertEqual(self.program(self.copy), f"built from {self.copy.resolve()}")
        self.assertEqual(self.program(self.original), f"built from {self.original.resolve()}")
        copied = self.copy / "build" / "release"
        self.assertFalse((copied / ".ninja_log").exists())
        self.assertTrue((copied / "corpus").exists())
        self.notes()
        self.program(self.copy)
        self.assertNotIn("--preset", " ".join(self.notes()))

    def test_other_arguments_configure_anew_and_keep_the_cache(self) -> None:
        script = '. "$FTLAB_ROOT/cmake/setup/packages.sh"; . "$FTLAB_ROOT/cmake/setup/build.sh"; '
        root = str(self.original.resolve())
        for arguments, asked in (("-DA=1", 1), ("-DA=1", 0), ("-DA=2", 1), ("", 1), ("", 0)):
            done = self.sh(f"{script} configure release {arguments}", FTLAB_ROOT=root)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(len(self.notes()), asked, arguments)

    def test_programs_of_the_python_environment_are_those_of_the_copy(self) -> None:
        (self.original / "reports").mkdir()
        shutil.copy(_ROOT / "reports" / "make-venv", self.original / "reports")
        (self.original / "reports" / "requirements.lock").touch()

        def made_in(root: Path) -> str:
            done = self.sh(f"'{root}/reports/make-venv'")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual((root / ".venv" / "bin" / "ftlab.pth").read_text(), f"{root.resolve()}/reports/src\n")
            return (root / ".venv" / "bin" / "pytest").read_text()

        self.assertEqual(made_in(self.original), f"#!{self.original.resolve()}/.venv/bin/python\n")
        self.copy_all()
        (self.copy / ".venv" / "bin" / "of-the-original").touch()
        self.assertEqual(made_in(self.copy), f"#!{self.copy.resolve()}/.venv/bin/python\n")
        self.assertFalse((self.copy / ".venv" / "bin" / "of-the-original").exists())


def _help() -> str:
    done = subprocess.run([_ROOT / "ftlab", "test", "--help"], capture_output=True, text=True, check=True,
                          env={"PATH": os.environ["PATH"]})
    return done.stdout


def _stages() -> list[str]:
    """The names of all stages, as the help lists them."""
    listed = _help().split("\nstages:\n", 1)[1].split("\n\n", 1)[0]
    return [line.split()[0] for line in listed.splitlines()]


class Runner(Scratch):
    def setUp(self) -> None:
        super().setUp()
        (self.root / ".ci").mkdir()
        shutil.copy(_ROOT / ".ci" / "test.sh", self.root / ".ci")
        self.tool("tool-a"), self.tool("tool-b"), self.tool("tool-d")
        stages = "".join(f'stage_{name}() {{ echo "ran-{name}${{1+ with $*}}"; }}\n' for name in _stages())
        (self.root / ".ci" / "stages.sh").write_text(stages)

    def run_tests(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.sh(f'exec sh "$FTLAB_ROOT/.ci/test.sh" {" ".join(arguments)}')

    def ran(self, *arguments: str) -> list[str]:
        done = self.run_tests(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.removeprefix("ran-") for line in done.stdout.splitlines() if line.startswith("ran-")]

    def add_option(self, line: str) -> None:
        runner = self.root / ".ci" / "test.sh"
        before, after = runner.read_text().split("\n--fast ", 1)
        runner.write_text(f"{before}\n{line}\n--fast {after}")

    def test_every_stage_runs_once_in_order_without_arguments(self) -> None:
        self.assertEqual(self.ran(), _stages())

    def test_the_outcome_names_every_stage(self) -> None:
        self.assertIn("all stages passed: " + " ".join(_stages()), self.run_tests().stdout)

    def test_the_summary_tells_the_processor_time_of_a_stage(self) -> None:
        with (self.root / ".ci" / "stages.sh").open("a") as stages:
            stages.write("stage_rules() { sh -c 'i=0; while [ $i -lt 400000 ]; do i=$((i + 1)); done'; }\n")
        done = self.run_tests("--stage", "rules")
        seconds = re.search(r"rules +ok +\d+ s +([\d.]+) s of processors", done.stdout)
        assert seconds is not None, done.stdout
        self.assertGreater(float(seconds.group(1)), 0.1)

    def test_failed_stage_fails_the_whole_after_the_others_ran(self) -> None:
        with (self.root / ".ci" / "stages.sh").open("a") as stages:
            stages.write("stage_asan() { false; echo went-on; }\n")
        done = self.run_tests()
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED: asan", done.stdout)
        self.assertNotIn("went-on", done.stdout)
        self.assertIn("ran-readme", done.stdout)

    def test_fast_leaves_the_long_stages_out(self) -> None:
        self.assertEqual(self.ran("--fast"), ["format", "rules", "release"])

    def test_filter_reaches_the_release_tests(self) -> None:
        self.assertEqual(self.ran("'Card.*'"), ["release with Card.*"])

    def test_trees_of_later_stages_are_built_ahead_and_are_there_when_these_begin(self) -> None:
        self.tool("nice", f'#!/bin/sh\nshift 2\n{shutil.which("sleep")} 0.2\nexec "$@"\n')
        with (self.root / ".ci" / "stages.sh").open("a") as stages:
            for stage in ("asan", "emulated", "firmware"):
                stages.write(f'prepare_{stage}() {{ echo "prepared {stage}" >>"$NOTES"; }}\n')
                stages.write(f'stage_{stage}() {{ grep -q "prepared {stage}" "$NOTES"; }}\n')
        done = self.run_tests()
        self.assertEqual(done.returncode, 0, done.stdout)
        (self.root / "notes").unlink()
        self.assertEqual(self.run_tests("--stage", "asan").returncode, 1, "alone it builds its own tree itself")

    def test_one_stage_runs_alone(self) -> None:
        self.assertEqual(self.ran("--stage", "slow"), ["slow"])

    def test_arguments_of_an_option_reach_its_stages(self) -> None:
        self.add_option("--deep N,[NAME] rules,slow a deeper look")
        self.assertEqual(self.ran("--deep", "7"), ["rules with 7", "slow with 7"])
        self.assertEqual(self.ran("--deep", "7", "nor"), ["rules with 7 nor", "slow with 7 nor"])
        self.assertIn("./ftlab test --deep N [NAME]", self.run_tests("--help").stdout)

    def test_a_seed_is_a_number_and_may_be_left_out(self) -> None:
        self.add_option("--draw LOSSES,[SEED] slow something else each time")
        self.assertEqual(self.ran("--draw", "7"), ["slow with 7"])
        self.assertEqual(self.ran("--draw", "7", "12"), ["slow with 7 12"])
        done = self.run_tests("--draw", "7", "twelve")
        self.assertEqual(done.returncode, 2)
        self.assertIn("SEED: 'twelve' is not a whole number from 1 on", done.stderr)

    def test_wrong_arguments_are_refused_with_the_usage(self) -> None:
        self.add_option("--deep N,[NAME] rules,slow a deeper look")
        for arguments in (("--fats",), ("--stage", "nothing"), ("--stage",), ("--fast", "7"), ("--deep",),
                          ("--deep", "1", "2", "3")):
            with self.subTest(arguments=arguments):
                done = self.run_tests(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("usage:", done.stderr)


class Entry(unittest.TestCase):
    def test_help_of_the_real_test_command_needs_nothing(self) -> None:
        self.assertIn("usage: ./ftlab test", _help())

    def test_sources_without_a_repository_are_those_that_nobody_made(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.h", "hw/b.h", ".venv/c.h", "build/d.h", "out-1/e.h", "hw/b.cpp"):
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
            told = subprocess.run(
                ["sh", "-c", f". '{_ROOT}/.ci/stages.sh'; tracked '*.h'"],
                env={**os.environ, "FTLAB_ROOT": folder},
                capture_output=True,
                text=True,
                check=True,
            )
        self.assertEqual(sorted(told.stdout.split()), ["a.h", "hw/b.h"])

    def test_every_stage_of_the_table_is_defined_and_the_other_way_round(self) -> None:
        stages = (_ROOT / ".ci" / "stages.sh").read_text()
        only_asked = re.findall(r"^(\w+) +asked ", (_ROOT / ".ci" / "test.sh").read_text(), re.MULTILINE)
        self.assertEqual(sorted(re.findall(r"^stage_(\w+)\(\)", stages, re.MULTILINE)), sorted(_stages() + only_asked))

    def test_the_development_guide_lists_the_same_stages(self) -> None:
        guide = (_ROOT / "docs" / "development.md").read_text().split("| stage |", 1)[1].split("\n\n", 1)[0]
        self.assertEqual(re.findall(r"^\| `(\w+)` \|", guide, re.MULTILINE), _stages())


if __name__ == "__main__":
    unittest.main()
