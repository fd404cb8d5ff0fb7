"""Extra time: a player gives the other one more days for a move."""

import re
from collections.abc import Iterator

from pbm.core.audience import save_and_report
from pbm.core.command import (
    BoardNumber,
    CommandLine,
    Count,
    Proof,
    Request,
    command,
    no_board,
    read_board_text,
    written_words,
)
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.letters import Message
from pbm.core.limits import Limit, count_each
from pbm.domain.errors import NotNow, NotUnderstood
from pbm.domain.match import FIRST_NUMBER
from pbm.domain.timekeeping import extend
from pbm.engine import counted, fold
from pbm.features.turns import seated

MOST_DAYS = 30
"""The most days at a time."""

GIFTS = Limit("gift of time", 10, 3)
"""Gifts that one player makes in an hour."""

_DAYS = re.compile(r"(?:for )?([1-9]|[12][0-9]|30)(?: days?)?")

GIVEN = Event(
    "given",
    lambda seen: f"{seen.actor} gave {counted(int(seen.text), 'day')} more for this move.",
    Effect.OTHER,
)


def read_days(line: CommandLine) -> Request:
    """Read `B [userid password] N days`; in a reply, the first number is that of the days."""
    number, _, text, credentials = read_board_text(line)
    if number is not None and number < FIRST_NUMBER:
        number, text = None, f"{number} {text}"
    if number is None and line.answered is None:
        raise no_board(line)
    found = _DAYS.fullmatch(fold(text).strip(" ."))
    if found is None:
        verb = line.verb.name
        raise NotUnderstood(f"{verb} takes a number of days, from 1 to {MOST_DAYS}.", line.example)
    return line.request(credentials, number=number, days=int(found[1]))


def written_days(request: Request) -> tuple[str, ...]:
    """Return the words of a request that `read_days` reads."""
    return (*written_words(request), counted(request.arguments["days"], "day"))


@command(
    "give", "B [userid password] N days", "gives the other player more time for a move",
    "give 104 alice your-password 3 days", needs=Proof.BOARD, read=read_days,
    writes=written_days, opens=lambda line: any(map(str.isdigit, line)),
    text=f"The days, at most {MOST_DAYS}, are added to the time for the move that the other player "
         "has to make now. It cannot be taken back.",
)  # fmt: skip
def give(context: Context, number: BoardNumber, days: Count) -> Iterator[Message]:
    """Add days to the time for the move of another player."""
    board, seat = seated(context, number)
    movers = context.people([board.match.players[mover] for mover in board.to_move]).values()
    if seat in board.to_move:
        raise NotNow("It is your own move. You can give time to the player who is to move.")
    if all(player.is_robot for player in movers):
        raise NotNow("The moves of robots are not timed.")
    count_each(context, GIFTS, context.sender(), [p for p in movers if not p.is_robot])
    after = extend(board, days, seat=seat, now=context.now)
    given = Happening(GIVEN, context.sender().id, str(days), context.comment)
    yield from save_and_report(context, board, after, given)
