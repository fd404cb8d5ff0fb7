"""What may stand in the log: no secrets of an address, no contents of a mail."""

import traceback


def masked(address: str) -> str:
    """Return `address` with "***" for what stands after "+": there a reply token may be."""
    name, plus, secret = address.partition("+")
    if not plus:
        return address
    _, at, domain = secret.rpartition("@")
    return f"{name}+***{at}{domain if at else ''}"


def described(error: BaseException) -> str:
    """Return the type of `error` and where it came from, without its message.

    The message of a database error carries the parameters of the statement: the mail.
    """
    frames = "".join(traceback.format_tb(error.__traceback__))
    return f"{type(error).__name__}\n{frames}"
