"""What may catch a mutant: a test program, the campaigns, programs with exceptions. Each function gives what it caught, in
a line, or None; a program that hangs has caught it. Knows nothing of how mutants are made. Standard library only.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

# A campaign takes half a minute, a test a second or two.
_TIMEOUT_S = 120
_TEST_TIMEOUT_S = 30
# Losses, cases and trials that a mutant has to survive in each campaign.
AMOUNTS = {"storm": 60_000, "fullest": 500, "life": 500, "damage": 4_000}
_SUFFIX = {"storm": ("", "+faults"), "fullest": ("+fullest",), "life": ("+life",), "damage": ("+damage",)}
# Programs with exceptions, likewise.
_TRAP_PROGRAMS = 300


def _output(*command: str, timeout: int = _TIMEOUT_S) -> tuple[str, str | None]:
    """What it prints, and how it ended, if not well."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return "", "hangs"
    return done.stdout, f"ended with status {done.returncode}" if done.returncode != 0 else None


def failing_test(program: Path, tests: str) -> str | None:
    """`tests`: a filter of GoogleTest."""
    said, wrong = _output(str(program), "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={tests}", timeout=_TEST_TIMEOUT_S)
    failed = [line.split("]")[1].split("(")[0].strip() for line in said.splitlines() if line.startswith("[  FAILED  ]")]
    return failed[0] if wrong and failed else wrong


def trap_that_differs(root: Path, program: Path, core: str) -> str | None:
    comparison = str(root / "tests/cores/traps.py")
    said, wrong = _output(sys.executable, comparison, str(program), core, "1", str(_TRAP_PROGRAMS), "--jobs", "1")
    return said.partition("\n")[0] or wrong if wrong else None


def first_failure(campaign: Path, layers: tuple[str, ...], first: str = "storm", seed: int = 1) -> str | None:
    """`first`: the kind of campaign to begin with."""
    for kind, amount in sorted(AMOUNTS.items(), key=lambda item: item[0] != first):
        for layer in layers:
            for suffix in _SUFFIX[kind]:
                said, wrong = _output(str(campaign), "run", layer + suffix, str(seed), str(amount), "until-failure")
                if wrong:
                    return f"{layer}{suffix}: {wrong}"
                found = json.loads(said)["failures"]
                if found:
                    return f"{found[0]['replay']}: {found[0]['what']}"
    return None
