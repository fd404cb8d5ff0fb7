"""What a mail says, and the subject that all mails of a match share."""

from dataclasses import dataclass

from pbm.domain.match import Invitation, Match
from pbm.domain.player import People
from pbm.engine import AnyGame
from pbm.mail.assemble import Attachment, in_ascii
from pbm.mail.move_list import userid
from pbm.render.templates import Context


@dataclass(frozen=True, slots=True)
class Wording:
    """One notice in words. `display` is the sender's name, in which a list of mails shows the news.

    `answer`: the reader's own mail caused it. `game`: the key whose List-Id it carries. `leave`:
    the command by which a reader who can do without such mails gets no more of them. `bulk`: it
    goes to many.
    """

    subject: str
    context: Context
    display: str = "pbm"
    answer: bool = True
    game: str = ""
    files: tuple[Attachment, ...] = ()
    leave: str = ""
    bulk: bool = False


def thread_subject(match: Match | Invitation, game: AnyGame, people: People) -> str:
    """Return the subject that all mails of a match share: clients split threads by subject.

    The names stand in the order of the start, because the pie rule must not change it.
    """
    starters = match.starters if isinstance(match, Match) else match.players
    names = " - ".join(userid(people, player) for player in starters)
    return in_ascii(f"[{game.info.title} {match.number}] {names}")
