"""What the unsubscribe button of a mail program asks for. Nobody types it."""

from dataclasses import dataclass

from pbm.domain.mailings import Mailing
from pbm.domain.player import PlayerId
from pbm.service.bridge import Command


@dataclass(frozen=True, slots=True)
class Leave(Command):
    """No more mails of a kind; `number` may be a board, and `subject` may begin with a game."""

    mailing: Mailing
    player: PlayerId
    number: int
    subject: str
