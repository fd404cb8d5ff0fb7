"""Who is told what about invitations."""

from dataclasses import dataclass

from pbm.domain.invitations import Invitation
from pbm.domain.player import People, Player
from pbm.engine import AnyGame
from pbm.service.letters import ToPlayer


@dataclass(frozen=True, slots=True)
class Invited(ToPlayer):
    """An invitation, to each of its players; the inviter gets it as a receipt."""

    idle = False

    invitation: Invitation
    game: AnyGame
    people: People
    comment: str = ""

    @property
    def thread(self) -> int:
        return self.invitation.number


@dataclass(frozen=True, slots=True)
class Declined(ToPlayer):
    """An invitation came to nothing; `by` said no, or has taken it back, as its state says.

    `robot` is the line that begins a match with a robot at once; "" if there is none.
    """

    idle = False

    invitation: Invitation
    game: AnyGame
    people: People
    by: Player
    comment: str = ""
    robot: str = ""

    @property
    def thread(self) -> int:
        return self.invitation.number


@dataclass(frozen=True, slots=True)
class InvitationClosed(ToPlayer):
    """Not everybody has answered an invitation in time.

    `robot` is as for Declined.
    """

    idle = False

    invitation: Invitation
    game: AnyGame
    people: People
    robot: str = ""

    @property
    def thread(self) -> int:
        return self.invitation.number
