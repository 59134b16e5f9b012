"""What writers of random programs share, whichever the core: dice, lines and labels."""

from __future__ import annotations

import random


class Writer:
    def __init__(self, seed: int, number: int) -> None:
        self.dice = random.Random(seed)
        self.name = f"p{number}"
        self.lines: list[str] = []
        self.labels = 0
        self.thread = True

    def add(self, *lines: str) -> None:
        self.lines += lines

    def word(self) -> int:
        return self.dice.choice((self.dice.getrandbits(32), self.dice.randrange(64), 1 << self.dice.randrange(32)))

    def label(self) -> str:
        self.labels += 1
        return f"{self.name}_{self.labels}"
