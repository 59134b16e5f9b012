"""The one way in which input is refused."""


class InputError(Exception):
    """A file that cannot be used. The message is the whole line a person reads: what, where, how to mend it."""
