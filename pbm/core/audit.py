"""The audit: acts of an operator, recorded in the unit of work that does them."""

from datetime import datetime

from pbm.engine import frozen
from pbm.store.operator import AuditRow, Facts
from pbm.store.unit import UnitOfWork


@frozen
class Signature:
    """The person who acts, by their name on the host, and the reason.

    `why` is for the audit, `told` is for the players.
    """

    operator: str = ""
    why: str = ""
    told: str = ""


UNSIGNED = Signature()
"""The signature of acts that no command of the operator did, such as in a test."""


def record(
    work: UnitOfWork, by: Signature, now: datetime, act: str, subject: object,
    before: Facts, after: Facts,
) -> None:  # fmt: skip
    """Record that `act` changed `subject`, with the facts before and after."""
    work.audit.add(AuditRow(now, by.operator, act, str(subject), before, after, by.why))
