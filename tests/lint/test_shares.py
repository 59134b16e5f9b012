"""Rules of what a stage takes each day (.ci/stages.sh): over a few days it is everything."""

from __future__ import annotations

import re
import subprocess
import unittest
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
# The stages' own words, with what they would build and run told instead.
_TOLD = """
. "$FTLAB_ROOT/.ci/stages.sh"
configure() { :; }
build() { echo "build $*"; }
run_ctest() { echo "ctest $FTLAB_SHARE $*"; }
all_stages=yes
"""
_PARTS = {0, 1, 2, 3}


def told(script: str, day: int, **environment: str) -> list[str]:
    environment = {"PATH": "/usr/bin:/bin", "FTLAB_ROOT": str(_ROOT), "FTLAB_TODAY": str(day), **environment}
    done = subprocess.run(
        ["sh", "-ec", _TOLD + script], env=environment, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL
    )
    return done.stdout.splitlines()


def parts(lines: list[str], kind: str, said: str = "build") -> set[int]:
    return {int(part) for line in lines if line.startswith(said) for part in re.findall(rf"\b{kind}-(\d)", line)}


class Shares(unittest.TestCase):
    def test_fast_tests_run_in_release_or_under_sanitizers_each_day_and_in_one_of_them(self) -> None:
        for day in range(8):
            release, checked = told("stage_release", day), told("stage_asan", day)
            for kind in ("plain", "systemc"):
                with self.subTest(day=day, kind=kind):
                    self.assertEqual(parts(release, kind) | parts(checked, kind), _PARTS)
                    self.assertFalse(parts(release, kind) & parts(checked, kind))
                    self.assertEqual(parts(release, kind, "ctest"), parts(checked, kind, "ctest"), "left out there, run here")

    def test_all_parts_are_under_sanitizers_within_four_days(self) -> None:
        for kind in ("plain", "systemc"):
            days = [parts(told("stage_asan", day), kind) for day in range(20_780, 20_784)]
            self.assertEqual(sorted(map(sorted, days)), [[0], [1], [2], [3]])

    def test_every_part_has_each_share_of_combinations_within_sixteen_days(self) -> None:
        for stage in ("asan", "emulated"):
            seen = set()
            for day in range(16):
                lines = told(f"grep() {{ false; }}\npython3() {{ :; }}\nstage_{stage}", day)
                share = next(line.split()[1] for line in lines if line.startswith("ctest"))
                seen |= {(part, share) for part in parts(lines, "plain")}
            self.assertEqual(len(seen), 16, stage)

    def test_long_tests_of_the_whole_come_in_quarters(self) -> None:
        lines = [line for day in range(16) for line in told("stage_asan", day) if "--tests-information" in line]
        self.assertEqual(sorted(line.split()[-1] for line in lines), ["1,,4", "2,,4", "3,,4", "4,,4"])

    def test_a_share_of_one_is_everything(self) -> None:
        lines = told("stage_asan", 5, FTLAB_SHARE="0/1")
        self.assertEqual(parts(lines, "plain"), _PARTS)
        self.assertIn("1,,1", lines[-1])
        self.assertEqual(parts(told("stage_release", 5, FTLAB_SHARE="0/1"), "plain"), set())

    def test_a_coarse_share_is_several_parts(self) -> None:
        self.assertEqual(parts(told("stage_asan", 5, FTLAB_SHARE="1/2"), "systemc"), {1, 3})


if __name__ == "__main__":
    unittest.main()
