"""A turn and the queued moves that answer it, each told as it is played."""

from collections.abc import Iterator

from pbm.domain.match import Match
from pbm.domain.plans import QueuedMove, due_move, still_possible, without, without_illegal
from pbm.domain.play import LiveMatch, play, resign, seat_of
from pbm.domain.player import PlayerId
from pbm.engine import MoveError, Seat
from pbm.service.board_messages import Event, Happening
from pbm.service.context import Context, board_notices
from pbm.service.letters import Message

Queues = dict[PlayerId, tuple[QueuedMove, ...]]


def take_turn(
    context: Context, number: int | None, text: str, due: int | None
) -> Iterator[Message]:
    """Play `text` for the sender, and what is queued for the turns after it; tell the board."""
    player = context.sender()
    board = context.board(number)
    seat = seat_of(board, player.id)
    due = due_ply(context, board.match.number, due)
    after = play(board, seat, text, due=due, comment=context.comment, now=context.now)
    told = turn_told(board, after, player.id, context.comment)
    after, answers = play_queued(context, after)
    after = context.boards.save(board, after)
    yield from board_notices(context, after, told, *answers)


def due_ply(context: Context, number: int, said: int | None) -> int | None:
    """Return the ply that a move is meant for: the one `said`, or that of the mail replied to.

    So a reply to an old board mail cannot move again. A reply to an invitation names no ply.
    """
    return said if said is not None else context.ply_seen(number) or None


def give_up(context: Context, board: LiveMatch, player: PlayerId) -> Iterator[Message]:
    """Resign the match for `player`; before their first move this declines it."""
    after = resign(board, seat_of(board, player), comment=context.comment, now=context.now)
    after = context.boards.save(board, after)
    yield from board_notices(
        context, after, Happening(Event.ENDED, player, comment=context.comment)
    )


def turn_told(
    before: LiveMatch, after: LiveMatch, player: PlayerId, comment: str, *, queued: bool = False
) -> Happening:
    """Return the happening that a turn of `player` led to."""
    exchanged = before.match.players != after.match.players
    event = Event.ENDED if after.match.over else Event.SWAPPED if exchanged else Event.MOVED
    return Happening(event, player, after.match.log.last_plies(1)[0].text, comment, queued=queued)


def play_queued(context: Context, board: LiveMatch) -> tuple[LiveMatch, tuple[Happening, ...]]:
    """Play the queued moves of the players to move, until none is due.

    Returns the match after these moves, which the caller saves, and what has happened. A move
    that has become illegal is dropped, and only its owner is told.
    """
    plans, number = context.work.plans, board.match.number
    queuers = plans.queuers(number)
    if not queuers:
        return board, ()
    stored: Queues = {player: plans.queued(number, player) for player in queuers}
    queues, happenings = dict(stored), []
    while (found := _next(board, queues)) is not None:
        seat, player, move = found
        try:
            after = play(board, seat, move.text, due=None, comment="", now=context.now)
        except MoveError:
            queues[player] = without_illegal(queues[player], move)
            dropped = Happening(Event.DROPPED, player, move.text, only_for=player)
            happenings.append(dropped)
        else:
            queues[player] = without(queues[player], move)
            happenings.append(turn_told(board, after, player, "", queued=True))
            board = after
    _store(context, board.match, stored, queues)
    return board, tuple(happenings)


def _next(board: LiveMatch, queues: Queues) -> tuple[Seat, PlayerId, QueuedMove] | None:
    for seat in board.to_move:
        player = board.match.players[seat]
        move = due_move(board.match, queues.get(player, ()))
        if move is not None:
            return seat, player, move
    return None


def _store(context: Context, match: Match, stored: Queues, queues: Queues) -> None:
    for player, queue in queues.items():
        kept = still_possible(match, queue)
        if kept != stored[player]:
            context.work.plans.set_queued(match.number, player, kept)
