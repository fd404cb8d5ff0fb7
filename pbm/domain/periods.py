"""How long things last on a server: some by the operator's settings, the others fixed here."""

from dataclasses import dataclass
from datetime import timedelta

INVITATION_LASTS = timedelta(days=14)
"""An invitation that not everybody has answered by then is closed."""

SEEK_LASTS = timedelta(days=30)
"""A seek that has found nobody by then is closed."""

SIGNUP_LASTS = timedelta(days=14)
"""How long a request for an account can be confirmed."""

STAY_LASTS = timedelta(days=14)
"""How long a player who has lost all his boards by time has to say that he stays."""

UNREACHABLE_LASTS = timedelta(days=30)
"""How long the clocks of a player stand whose mails come back."""


@dataclass(frozen=True, slots=True)
class Periods:
    """What the operator may choose, in days.

    `vacation` is what a player may take in a calendar year. `keep` is how long mails that are
    played or sent are remembered, `keep_dead` those that met a bug or were given up.
    """

    vacation: int = 30
    keep: int = 30
    keep_dead: int = 90


USUAL_PERIODS = Periods()
"""What holds unless the operator says otherwise."""
