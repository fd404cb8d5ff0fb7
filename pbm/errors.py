"""The error that every layer may raise for a person to read."""


class PlainError(Exception):
    """An error that a person can act on: `str()` is a sentence, shown without a traceback."""
