"""What is told of a player's vacation, the same by his word and by its date."""

from datetime import datetime, timedelta

from pbm.domain.player import Player
from pbm.domain.vacation import YearLeft, latest_end, left_by_year
from pbm.service.context import Context
from pbm.service.open_boards import waiting_boards
from pbm.service.tokens import Token, TokenKind
from pbm.service.vacation_notices import VacationOver


def days_left(
    context: Context, player: Player, until: datetime | None = None
) -> tuple[YearLeft, ...]:
    """Return what `player` has left of this year, and of the next if he is away into it."""
    pauses = context.work.pauses.of(player.id)
    return left_by_year(pauses, context.now, until, allowance(context))


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
    return VacationOver(player, days_left(context, player), boards, people, reply_of(player))


def reply_of(player: Player) -> Token:
    """Return the token with which `player` answers a mail about no single board."""
    return Token(TokenKind.PLAYER, 0, player.id)
