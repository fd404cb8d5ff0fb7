"""The errors of the store."""

from pbm.errors import PlainError


class Conflict(PlainError):  # noqa: N818 - the caller rolls back and tries again
    """Another worker saved the same match first; roll back and play the mail again."""


class StoreUnavailable(PlainError):  # noqa: N818 - an outage, not an error of ours
    """The database is down, locked or full: not a bug of the mail that met it; try later."""


class NeedsTransaction(Exception):  # noqa: N818 - the caller plays the mail again
    """A mail asks for something that a batch does not do in memory; see `Batch.transaction`."""


class IntakeUnavailable(PlainError):  # noqa: N818 - a state of the server, answered with 451
    """Nothing can be stored now; the sender is asked to try again.

    `str()` is a sentence for the operator's log, without contents or addresses of a mail.
    """
