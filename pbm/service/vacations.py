"""What a vacation tells when it is over: the same by a player's word and by its date."""

from datetime import datetime, timedelta

from pbm.domain.player import Player
from pbm.domain.vacation import latest_end, left
from pbm.service.context import Context
from pbm.service.open_boards import waiting_boards
from pbm.service.tokens import Token, TokenKind
from pbm.service.vacation_notices import VacationOver


def days_left(context: Context, player: Player) -> int:
    """Return the whole days that `player` has left of this year's allowance."""
    pauses = context.work.pauses.of(player.id)
    return left(pauses, context.now.year, allowance(context)) // timedelta(days=1)


def latest(context: Context, player: Player) -> datetime:
    """Return until when a vacation of `player` can last that holds from now on."""
    return latest_end(context.work.pauses.of(player.id), context.now, allowance(context))


def allowance(context: Context) -> timedelta:
    """Return how long players may be on vacation in a year."""
    return timedelta(days=context.services.periods.vacation)


def over(context: Context, player: Player) -> VacationOver:
    """Return the notice that his clocks run again, with the boards that wait for him."""
    boards = waiting_boards(context, player)
    people = context.people({p for board in boards for p in board.match.players})
    year, days = context.now.year, days_left(context, player)
    return VacationOver(player, days, year, boards, people, reply_of(player))


def reply_of(player: Player) -> Token:
    """Return the token with which `player` answers a mail about no single board."""
    return Token(TokenKind.PLAYER, 0, player.id)
