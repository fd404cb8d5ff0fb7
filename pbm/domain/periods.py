"""How long things last on a server: some by the operator's settings, the others fixed here."""

from dataclasses import dataclass
from datetime import timedelta

UNREACHABLE_LASTS = timedelta(days=30)
"""How long clocks stand for a player whose mails come back."""


@dataclass(frozen=True, slots=True)
class Periods:
    """What the operator may choose, in days.

    `vacation` is what a player may take in a calendar year. Played and sent mails are
    kept for `keep`, mails that met a bug or were given up for `keep_dead`.
    """

    vacation: int = 30
    keep: int = 30
    keep_dead: int = 90


USUAL_PERIODS = Periods()
"""What holds unless the operator says otherwise."""
