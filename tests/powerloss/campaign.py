#!/usr/bin/env python3
"""Shares a campaign out over the processors, adds up, and names every case that failed.

Usage: campaign.py PROGRAM storm LOSSES       that many power losses for each layer, and a fifth of it with faults
       campaign.py PROGRAM fullest CASES      so many configurations of each layer at their largest logical size
       campaign.py PROGRAM life CASES         so many volumes of each layer written to the end of their lives
       campaign.py PROGRAM damage CASES       so many volumes of each layer damaged at rest
Options: --jobs N, --seed N (of the first case; 1 unless given, and printed), --emulator COMMAND (that runs the program). Exits 1 when anything was lost or a volume became unusable. Standard library only.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field

# Losses or cases of one piece of work: small enough to share out, large enough not to count the start of a process.
_PIECE = {"storm": 25_000, "fullest": 500, "life": 500, "damage": 1_000}
# Seeds of neighbouring pieces lie so far apart that no piece reaches the next one's.
_SEEDS_OF_A_PIECE = 1_000_000
# The program's seeds have 64 bits, and later pieces need higher ones.
_MOST_SEED = 2**62
_MAX_SHOWN = 20
_TIMEOUT_S = 1200


@dataclass
class Totals:
    cases: int = 0
    losses: int = 0
    lost: int = 0
    unusable: int = 0
    worn: int = 0
    early: int = 0
    excused: int = 0
    outcomes: dict[str, list[int]] = field(default_factory=dict)
    failures: list[dict[str, str]] = field(default_factory=list)

    def add(self, found: dict[str, object]) -> None:
        for name in ("cases", "losses", "lost", "unusable", "worn", "early", "excused"):
            setattr(self, name, getattr(self, name) + int(str(found[name])))
        outcomes = found["outcomes"]
        assert isinstance(outcomes, dict)
        for kind, counts in outcomes.items():
            before = self.outcomes.get(kind, [0] * len(counts))
            self.outcomes[kind] = [a + b for a, b in zip(before, counts, strict=True)]
        failures = found["failures"]
        assert isinstance(failures, list)
        self.failures += failures


@dataclass(frozen=True)
class Piece:
    campaign: str  # as the program names it: layer and kind
    first_seed: int
    amount: int


def pieces_of(kind: str, layers: list[str], amount: int, seed: int) -> Iterator[Piece]:
    """The pieces do not depend on the number of jobs, so that results do not either."""
    wanted = {"storm": {"": amount, "+faults": amount // 5}}.get(kind, {f"+{kind}": amount})
    for suffix, most in wanted.items():
        for layer in layers:
            for number, done in enumerate(range(0, most, _PIECE[kind])):
                yield Piece(layer + suffix, seed + number * _SEEDS_OF_A_PIECE, min(_PIECE[kind], most - done))


def run_piece(program: list[str], piece: Piece) -> dict[str, object]:
    command = [*program, "run", piece.campaign, str(piece.first_seed), str(piece.amount)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False)
        if done.returncode == 0:
            return dict(json.loads(done.stdout))
        what = f"ended with status {done.returncode}"
        said = done.stderr
    except subprocess.TimeoutExpired as late:
        what, said = "hangs", (late.stderr or b"").decode(errors="replace")
    last = (said.strip().splitlines() or ["no message"])[-1]
    failure = {"replay": " ".join(command), "what": f"{what}: {last}", "setup": ""}
    return {"cases": 0, "losses": 0, "lost": 0, "unusable": 1, "worn": 0, "early": 0, "excused": 0, "outcomes": {}, "failures": [failure]}


def show_progress(done: int, of: int, totals: Totals) -> None:
    if sys.stderr.isatty():
        bad = totals.lost + totals.unusable
        print(f"\r{done} of {of} pieces, {bad} failures ", end="\n" if done == of else "", file=sys.stderr, flush=True)


def run(program: list[str], pieces: list[Piece], jobs: int) -> dict[str, Totals]:
    totals: dict[str, Totals] = {piece.campaign: Totals() for piece in pieces}
    everything = Totals()
    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[dict[str, object]], Piece] = {pool.submit(run_piece, program, p): p for p in pieces}
        for done, future in enumerate(as_completed(running), start=1):
            totals[running[future].campaign].add(future.result())
            everything.add(future.result())
            show_progress(done, len(pieces), everything)
    for one in totals.values():
        one.failures.sort(key=lambda failure: failure["replay"])
    return totals


def show_outcomes(name: str, outcomes: dict[str, list[int]]) -> None:
    """As rows of the table in docs/reliability.md."""
    print(f"  {name}\n  | damage | good | reported | refused | silent |\n  |---|---|---|---|---|")
    for kind, counts in outcomes.items():
        total = sum(counts)
        shares = " | ".join("-" if not c else f"{c:,} of {total:,}" for c in counts)
        print(f"  | {kind} | {shares} |")


def report(kind: str, seed: int, totals: dict[str, Totals], cpu_s: float) -> int:
    everything = Totals()
    for name, one in totals.items():
        everything.add(vars(one))
        worn = f", {one.worn:,} worn out ({one.early} early)" if one.worn else ""
        excused = f", {one.excused:,} mounts excused" if one.excused else ""
        print(f"  {name:<16} {one.losses:>10,} losses {one.cases:>8,} configurations{worn}{excused}: {one.lost} lost, {one.unusable} unusable")
        if one.outcomes:
            show_outcomes(name, one.outcomes)
    for failure in everything.failures[:_MAX_SHOWN]:
        print(f"  {failure['replay']}: {failure['what']}\n      {failure['setup']}")
    left = len(everything.failures) - _MAX_SHOWN
    if left > 0:
        print(f"  and {left} more")
    if everything.failures:
        print("  a case is repeated by ./ftlab test --replay CASE, a piece that died by the command")
    print(
        f"{kind}, seed {seed}: {everything.losses:,} power losses, {everything.cases:,} configurations, {everything.lost} lost, "
        f"{everything.unusable} unusable; {cpu_s / 60:.1f} CPU minutes"
    )
    return 1 if everything.lost or everything.unusable else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("program", help="the built ftlab-campaign")
    parser.add_argument("kind", choices=sorted(_PIECE))
    parser.add_argument("amount", type=int, help="losses or cases for each layer")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--emulator", help="command that runs the program of another machine")
    given = parser.parse_args()
    if given.amount < 1:
        parser.error(f"amount: {given.amount} is not 1 or more")
    if not 0 <= given.seed < _MOST_SEED:
        parser.error(f"seed: {given.seed} is not from 0 to {_MOST_SEED - 1}")
    program = [*([given.emulator] if given.emulator else []), given.program]
    layers = subprocess.run([*program, "layers"], capture_output=True, text=True, check=True).stdout.split()
    totals = run(program, list(pieces_of(given.kind, layers, given.amount, given.seed)), given.jobs)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return report(given.kind, given.seed, totals, used.ru_utime + used.ru_stime)


if __name__ == "__main__":
    sys.exit(main())
