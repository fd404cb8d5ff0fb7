"""Digests: one mail a day, in the morning of its reader, about all boards that wait for them.

A reader without news gets no digest. The notes about held turns are deleted before the boards are
loaded: a move that another process plays meanwhile is then noted for the next digest.
"""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice

from pbm.core.board_messages import BoardMessage, WaitingBoards
from pbm.core.context import Context, board_token, everybody
from pbm.core.letters import Message, letter
from pbm.core.open_boards import NEVER, end_of_time
from pbm.core.outbox import turns_since
from pbm.core.schedule import MOST_BUGS, Due, ScheduledJob, tell
from pbm.core.tokens import player_token
from pbm.domain.errors import Refusal
from pbm.domain.mail import HELD, all_held, due_at, held_name
from pbm.domain.play import Board
from pbm.domain.player import Player
from pbm.domain.seen import seen
from pbm.domain.settings import DIGEST, chosen, zone_of
from pbm.domain.timekeeping import players_to_move

log = logging.getLogger("pbm.remind")

BATCH = 5
"""Players in one transaction: each may have many boards."""

PAGE = 200
"""Players who are looked at with one query."""


def _due(context: Context) -> Iterator[Due]:
    for at, player in _due_players(context):
        yield Due(at, "digest", player.userid)


def _carry_out(context: Context) -> Counter[str]:
    """Do a batch, which ends at the first bug: a bug may take long, and other players wait."""
    done = Counter[str]()
    for _, player in tuple(islice(_due_players(context), BATCH)):
        done["digest"] += 1
        held = all_held(player.settings)
        for each in held:
            context.work.players.set_setting(player.id, held_name(each.number), None)
        if not _post_digest(context, player, {each.number: each.ply for each in held}):
            break
    return done


def _post_digest(context: Context, player: Player, held: Mapping[int, int]) -> bool:
    """Post one mail about all boards; after a bug, one about each, and return False."""
    rows = context.work.matches.listing(None, [player.id], over=False, to_move=True)
    numbers = sorted({*held, *(row.number for row in rows)})
    about = f"the digest of {player.userid}"
    if tell(context, _digest(context, player, held, numbers), about):
        return True
    bugs = 0
    for number in numbers if len(numbers) > 1 else ():
        context.boards.forget()
        single = _digest(context, player, held, [number])
        bugs += not tell(context, single, f"{about}, board {number},")
        if bugs == MOST_BUGS:
            break
    return False


def _due_players(context: Context) -> Iterator[tuple[datetime, Player]]:
    """Yield (since when a digest is due, whose it is), in order of account."""
    after = 0
    while page := context.work.players.with_any_setting(HELD, after=after, limit=PAGE):
        after = page[-1].id
        for player in page:
            at = _due_since(player, context.now)
            if at <= context.now:
                yield at, player


def _due_since(player: Player, now: datetime) -> datetime:
    """Return when the digest is due: at once for a player who wants no digest any more."""
    at = due_at(all_held(player.settings), zone_of(player))
    return at if at and chosen(DIGEST, player.settings) == "yes" else now


def _digest(
    context: Context, player: Player, since: Mapping[int, int], numbers: Iterable[int]
) -> Iterator[Message]:
    """Yield the mail about these boards; one about a single board is an ordinary board mail.

    Each board comes with all turns that were held back, or with its last move.
    """
    boards = sorted(_boards(context, numbers), key=lambda board: _urgency(board, player))
    people = context.people({p for board in boards for p in (*everybody(board), player.id)})
    shown: list[BoardMessage] = []
    for board in boards:
        start = since.get(board.match.number, max(1, board.due - 1))
        turns = turns_since(context.work, board, player.id, start)
        shown.append(BoardMessage(player, turns, seen(board, player.id), people, context.now))
    if len(shown) == 1:
        yield replace(shown[0], digest=True, reply=board_token(boards[0], player.id))
    elif shown:
        waiting = WaitingBoards(tuple(shown))
        yield letter(player, "digests/digest", boards=waiting, reply=player_token(player.id))


def _boards(context: Context, numbers: Iterable[int]) -> Iterator[Board]:
    for number in numbers:
        try:
            yield context.boards.get(number)
        except Refusal as refusal:
            # For example, its game is no longer installed.
            log.warning("board %s is left out of a digest: %s", number, refusal)


def _urgency(board: Board, player: Player) -> datetime:
    waits = player.id in players_to_move(board)
    return end_of_time(board.match, player.id) if waits else NEVER


DIGESTS = ScheduledJob("digests", _due, _carry_out)
"""The moves of a day in one mail, for players who want it so."""
