"""How input is refused, and how a run says that it came to nothing."""

import unicodedata


def has_control(text: str) -> bool:
    """The text could steer a terminal. Line ends and tabs do not."""
    return any(unicodedata.category(letter) == "Cc" for letter in text if letter not in "\n\t")


def one_line(text: str) -> str:
    """Control characters become blanks."""
    return "".join(" " if unicodedata.category(letter) == "Cc" else letter for letter in text)


class InputError(Exception):
    """What the user gave cannot be used. The message is the whole line a person reads: what, where, how to mend it."""

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class RunError(InputError):
    """The program refused a run, or ended without a result. `status` is its exit status, negative for a signal."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
