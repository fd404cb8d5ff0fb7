"""The room in which a mail is read: what the mail that it answers was about, and asked."""

from enum import Enum, auto

from pbm.core.context import Context
from pbm.core.tokens import token_time
from pbm.core.words import Reply
from pbm.domain.invitations import Invitation, InvitationState
from pbm.domain.match import Match
from pbm.domain.offers import open_offer
from pbm.domain.play import Board
from pbm.domain.player import Player
from pbm.engine import frozen


class Asked(Enum):
    """The subject of the mail that is answered."""

    INVITED = auto()
    """An invitation that waits for the reader."""
    WAITING = auto()
    """An invitation that waits for somebody else, or is closed."""
    STARTED = auto()
    """An invitation that has become a board since."""
    BOARD = auto()
    """A board, as it is now."""
    EARLIER = auto()
    """A board as it was before the last move."""
    OFFER = auto()
    """A board where the opponent's offer waits for the reader."""
    OVER = auto()
    """The end of a match, or something after it."""
    FOLLOWED = auto()
    """A board that the reader does not play on."""
    SEVERAL = auto()
    """Several boards, or no board."""
    NOTHING = auto()
    """No mail of the server, as far as it can be known."""


PLAYED = (Asked.BOARD, Asked.EARLIER, Asked.OFFER)


@frozen
class Room:
    """The question that is answered, and its board or invitation."""

    asked: Asked
    board: Board | None = None
    invitation: Invitation | None = None

    @property
    def match(self) -> Match | Invitation | None:
        """The match or invitation; None if the mail was not about one."""
        return self.board.match if self.board else self.invitation


def room_of(context: Context) -> Room:
    """Return the question of the mail that is answered."""
    reply = context.reply
    if reply is None or not reply.answers:
        return Room(Asked.NOTHING)
    if reply.number is None:
        return Room(Asked.SEVERAL)
    board = context.boards.find(context.answered)
    if not reply.ply:
        return _invitation(context, reply, board)
    if board is None:
        return Room(Asked.NOTHING)
    return Room(_at_board(board, reply), board)


def _invitation(context: Context, reply: Reply, board: Board | None) -> Room:
    if board is not None:
        # Without a seat, it is a seek that somebody else has accepted.
        seated = board.match.seats_of(reply.player.id)
        return Room(Asked.STARTED if seated else Asked.WAITING, board)
    assert reply.number is not None  # noqa: S101 - the caller has looked
    invitation = context.work.invitations.get(reply.number)
    waits = invitation is not None and invitation.state is InvitationState.OPEN
    mine = invitation is not None and reply.player.id in invitation.missing
    return Room(Asked.INVITED if waits and mine else Asked.WAITING, invitation=invitation)


def _at_board(board: Board, reply: Reply) -> Asked:
    match, seats = board.match, board.match.seats_of(reply.player.id)
    if not seats:
        return Asked.FOLLOWED
    if match.over:
        ended = match.ended_at and token_time(match.ended_at)
        knew = ended is not None and reply.made_at is not None and reply.made_at >= ended
        return Asked.OVER if knew else Asked.EARLIER
    offer = open_offer(match)
    if offer and offer.seat not in seats:
        return Asked.OFFER
    now = reply.ply == board.due and reply.undos == match.log.undos % 256
    return Asked.BOARD if now else Asked.EARLIER


def people_in(context: Context, room: Room) -> list[Player]:
    """Return the players of the match or invitation, in the order of their seats."""
    players = room.match.players if room.match else ()
    people = context.people(players) if players else {}
    return [people[player] for player in dict.fromkeys(players) if player in people]
