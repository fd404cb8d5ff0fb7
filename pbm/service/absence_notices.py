"""Who is told what of invitations and seeks that came to nothing, and of players who are silent."""

from dataclasses import dataclass
from datetime import datetime

from pbm.domain.match import Invitation
from pbm.domain.openness import Seek
from pbm.domain.player import People, Player
from pbm.engine import AnyGame
from pbm.service.tokens import Token


@dataclass(frozen=True, slots=True)
class StayAsked:
    """Whether the reader stays is asked: he has lost his last open board by time.

    If nothing comes from him `until` then, his seeks and invitations are closed.
    """

    to: Player
    until: datetime
    reply: Token


@dataclass(frozen=True, slots=True)
class InvitationClosed:
    """Not everybody has answered an invitation in time.

    `absent` is the player because of whose silence it is closed already; None if it has lasted as
    long as invitations do.
    """

    to: Player
    invitation: Invitation
    game: AnyGame
    people: People
    reply: Token | None
    absent: Player | None = None


@dataclass(frozen=True, slots=True)
class SeekClosed:
    """The reader's seek has found nobody in time, or not as many as he wanted."""

    to: Player
    seek: Seek
    game: AnyGame
    reply: Token
