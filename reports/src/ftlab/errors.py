"""How input is refused, and how a run says that it came to nothing."""


class InputError(Exception):
    """What the user gave cannot be used. The message is the whole line a person reads: what, where, how to mend it."""


class RunError(InputError):
    """The program refused a run, or ended without a result. `status` is its exit status, negative for a signal."""

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.status = status
