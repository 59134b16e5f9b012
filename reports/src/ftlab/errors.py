"""How input is refused, and how a run says that it came to nothing."""

import unicodedata
from typing import Any

# The longest that is shown whole, and how much of the ends of what is longer.
_ECHOED = (80, 60, 20)
_WORD = (400, 100, 40)
_LINE = (2000, 1000, 500)


def has_control(text: str) -> bool:
    """The text could steer a terminal. Line ends and tabs do not."""
    return any(unicodedata.category(letter) == "Cc" for letter in text if letter not in "\n\t")


def one_line(text: str) -> str:
    """Control characters become blanks."""
    return "".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in text)


def echo(value: Any) -> str:
    """What was given, as Python writes it."""
    return shortened(repr(value))


def echo_name(name: Any) -> str:
    """A text as it is, what else was given for one as Python writes it."""
    return shortened(name) if isinstance(name, str) else echo(name)


def _without_middle(text: str, most: int, head: int, tail: int) -> str:
    return text if len(text) <= most else f"{text[:head]}...{text[-tail:]}"


def shortened(text: str) -> str:
    """The ends of a value that is longer than anybody reads."""
    return _without_middle(text, *_ECHOED)


def readable_length(text: str) -> str:
    """The same of a whole message, word by word: a wrong value may be a whole file (common/input_error.h)."""
    return _without_middle(" ".join(_without_middle(word, *_WORD) for word in text.split(" ")), *_LINE)


class InputError(Exception):
    """What was given cannot be used. The message is the one line that a person reads: what, where, how to mend it.

    Every function of the package raises it, or RunError, which is one of them, for what its caller can mend.
    """

    def __init__(self, message: str) -> None:
        super().__init__(readable_length(one_line(message)))


class RunError(InputError):
    """The program refused a run, or ended without a result.

    `reason` is the program's own line; `status` its exit status: 2 for wrong input, 70 where it could not be started,
    -N where signal N ended it.
    """

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
