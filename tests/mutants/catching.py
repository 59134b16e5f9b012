"""What may catch a mutant: a test program, the campaigns, programs with exceptions. Each function gives what it caught, in
a line, or None. A program that hangs has caught it: it has used up processor time of which the same program without the
mutant takes less than half, so that no other load of the machine makes it hang. Knows nothing of how mutants are made.
Standard library only.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

# Seconds of a processor; a campaign takes half a minute, a test a second or two.
_CAMPAIGN_S = 120
_TEST_S = 30
# Seconds by the clock for each of those, before a program is one that waits for ever.
_PATIENCE = 50
# Losses, cases and trials that a mutant has to survive in each campaign.
AMOUNTS = {"storm": 60_000, "fullest": 500, "life": 500, "damage": 4_000}
_SUFFIX = {"storm": ("", "+faults"), "fullest": ("+fullest",), "life": ("+life",), "damage": ("+damage",)}
# Programs with exceptions, likewise.
_TRAP_PROGRAMS = 300


class Undecided(Exception):
    """The program has neither ended nor hung."""


def _run(command: list[str], seconds: int) -> subprocess.CompletedProcess[str]:
    """Ends by SIGXCPU where it takes more processor time."""
    limited = ["sh", "-c", 'ulimit -c 0 && ulimit -S -t "$0" && exec "$@"', str(seconds), *command]
    try:
        return subprocess.run(limited, capture_output=True, text=True, timeout=seconds * _PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        raise Undecided(f"{command[0]} waits, or the machine is too busy for it") from None


def _output(
    program: Path, clean: Path | None, seconds: int, command_of: Callable[[Path], list[str]]
) -> tuple[str, str | None]:
    """What it prints, and how it ended, if not well. `clean`: the same program without the mutant, if it is another."""
    done = _run(command_of(program), seconds)
    if done.returncode != -signal.SIGXCPU:
        return done.stdout, f"ended with status {done.returncode}" if done.returncode != 0 else None
    if clean is not None and _run(command_of(clean), seconds // 2).returncode == -signal.SIGXCPU:
        raise Undecided(f"{clean.name} takes more than {seconds // 2} s of a processor without the mutant, too")
    return "", f"hangs, for {seconds} s of a processor"


def failing_test(program: Path, tests: str, clean: Path | None = None) -> str | None:
    """`tests`: a filter of GoogleTest."""
    options = ["--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={tests}"]
    said, wrong = _output(program, clean, _TEST_S, lambda one: [str(one), *options])
    failed = [line.split("]")[1].split("(")[0].strip() for line in said.splitlines() if line.startswith("[  FAILED  ]")]
    return failed[0] if wrong and failed else wrong


def trap_that_differs(root: Path, program: Path, core: str, clean: Path | None = None) -> str | None:
    comparison = [sys.executable, str(root / "tests/cores/traps.py")]
    drawn = [core, "1", str(_TRAP_PROGRAMS), "--jobs", "1"]
    said, wrong = _output(program, clean, _CAMPAIGN_S, lambda one: [*comparison, str(one), *drawn])
    return said.partition("\n")[0] or wrong if wrong else None


def first_failure(
    campaign: Path, layers: tuple[str, ...], first: str = "storm", seed: int = 1, clean: Path | None = None
) -> str | None:
    """`first`: the kind of campaign to begin with."""
    for kind, amount in sorted(AMOUNTS.items(), key=lambda item: item[0] != first):
        for layer in layers:
            for suffix in _SUFFIX[kind]:
                drawn = ["run", layer + suffix, str(seed), str(amount), "until-failure"]
                said, wrong = _output(campaign, clean, _CAMPAIGN_S, lambda one, drawn=drawn: [str(one), *drawn])
                if wrong:
                    return f"{layer}{suffix}: {wrong}"
                found = json.loads(said)["failures"]
                if found:
                    return f"{found[0]['replay']}: {found[0]['what']}"
    return None
