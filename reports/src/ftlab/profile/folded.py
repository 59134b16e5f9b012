"""Folded stacks as `ftlab run --profile` writes them (docs/cores.md). Knows their form; sums up nothing."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ftlab.errors import InputError
from ftlab.places import refuse_special

EXECUTING = ""
BUS = "[bus]"
ASLEEP = "[asleep]"
_HINT = "give a file that `ftlab run --profile` wrote"


@dataclass(frozen=True)
class Stack:
    """A path of calls, and the cycles spent at its end in one state."""

    cause: str
    functions: tuple[str, ...]  # outermost first
    state: str
    cycles: int


@dataclass(frozen=True)
class Profile:
    stacks: tuple[Stack, ...]

    def cycles(self, wanted: Callable[[Stack], bool] = lambda _: True) -> int:
        return sum(stack.cycles for stack in self.stacks if wanted(stack))

    @property
    def awake(self) -> tuple[Stack, ...]:
        return tuple(stack for stack in self.stacks if stack.state != ASLEEP)


def parse_profile(lines: Iterable[str], where: str) -> Profile:
    """Raises InputError that names the line."""
    return Profile(tuple(_stack(line, f"{where}:{number}") for number, line in enumerate(lines, 1)))


def _stack(line: str, where: str) -> Stack:
    path, _, count = line.rstrip("\n").rpartition(" ")
    if not path or not (count.isascii() and count.isdigit()):
        raise InputError(f"{where}: is no stack with its cycles, as in 'host;main 12'; {_HINT}")
    cause, *functions = path.split(";")
    state = functions.pop() if functions and functions[-1] in (BUS, ASLEEP) else EXECUTING
    return Stack(cause, tuple(functions), state, int(count))


def read_profile(path: Path) -> Profile:
    """Raises InputError with one line for what cannot be read."""
    refuse_special(path, _HINT)
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data).decode()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; {_HINT}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); {_HINT}") from None
    except (EOFError, UnicodeDecodeError, zlib.error):
        raise InputError(f"{path}: is damaged; {_HINT}") from None
    if not text:
        raise InputError(f"{path}: is empty; {_HINT}")
    return parse_profile(text.splitlines(), str(path))
