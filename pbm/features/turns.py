"""Turns at a board: moves, the pie rule, resigning, and queued moves that answer a turn."""

from collections.abc import Iterator, Mapping

from pbm.core.audience import save_and_report
from pbm.core.command import (
    BoardNumber,
    CommandLine,
    MoveText,
    Parameter,
    Ply,
    Proof,
    Request,
    command,
    read_board_text,
)
from pbm.core.context import Context
from pbm.core.events import Effect, Event, Happening
from pbm.core.grammar import find_verb
from pbm.core.letters import Message
from pbm.core.plies import ENDED, LEFT, turns_of
from pbm.domain.plans import RESIGN, QueuedMove, due_move, still_possible, without, without_illegal
from pbm.domain.play import Board, play, seat_of
from pbm.domain.play import resign as resigned
from pbm.domain.player import PlayerId
from pbm.engine import SWAP, MoveError, Seat, fold

_COMMANDS = frozenset({"swap", "pie", "resign", "propose", "draw", "undo", "accept", "reject"})
"""The words that are commands even where a move is expected: "move 104 resign"."""


def _read_move(line: CommandLine) -> Request:
    number, due, text, credentials = read_board_text(line, least_rest=1)
    word = fold(text)
    if word not in _COMMANDS:
        return line.request(credentials, number=number, text=text, due=due)
    meant = find_verb(word)
    assert meant is not None  # noqa: S101 - all these words are commands
    given = {Parameter.BOARD: number, Parameter.INVITATION: number, Parameter.PLY: due}
    arguments = {name: given[kind] for name, kind in meant.takes.items()}
    return line.request(credentials, meant, **arguments)


@command(
    "move", "B[#n] [userid password] MOVE[#n]", "plays a move",
    "move 104 alice your-password G7", needs=Proof.FRESH_REPLY, read=_read_move,
    aliases=("mvoe", "mov", "qmove"),
    text="In a reply to a board mail, the move alone is enough. #n means ply n; the move is "
         "refused if another ply is due. Anything you write below it is your comment for the "
         "other players. MOVE may be swap, resign, propose (a draw), undo, accept or reject.",
)  # fmt: skip
def move(context: Context, number: BoardNumber, text: MoveText, due: Ply) -> Iterator[Message]:
    """Play a turn."""
    return take_turn(context, number, text, due)


@command(
    "swap", "B [userid password]", "uses the pie rule: you take the other side",
    "swap 104 bob your-password", needs=Proof.FRESH_REPLY, aliases=("pie",),
    text="Possible once, in place of the second move, where the game has this rule.",
)  # fmt: skip
def swap(context: Context, number: BoardNumber, due: Ply) -> Iterator[Message]:
    """Exchange seats by the pie rule."""
    return take_turn(context, number, SWAP, due)


@command(
    "resign", "B [userid password]", "resigns a match, whether or not it is your turn",
    "resign 104 alice your-password", needs=Proof.BOARD, final=True,
    text="Before your first move it declines the match, which then does not count.",
)  # fmt: skip
def resign(context: Context, number: BoardNumber) -> Iterator[Message]:
    """Resign a match, whether or not it is the player's turn."""
    return give_up(context, context.board(number), context.sender().id)


def take_turn(
    context: Context, number: int | None, text: str, due: int | None
) -> Iterator[Message]:
    """Play `text` for the sender, and what is queued for the turns after it."""
    board, seat = seated(context, number)
    due = due_ply(context, board.match.number, due)
    after = play(
        board, seat, text, due=due, comment=context.comment, now=context.now, draw=context.draw
    )
    turns = turns_of(board, after, context.sender().id)
    after, answers = _play_queued(context, after)
    yield from save_and_report(context, board, after, *turns, *answers)


def seated(context: Context, number: int | None) -> tuple[Board, Seat]:
    """Return the board and the seat of the sender; raise NotAllowed if they have none."""
    player, board = context.sender(), context.board(number)
    return board, seat_of(board, player.id)


def due_ply(context: Context, number: int, said: int | None) -> int | None:
    """Return the ply that a move is meant for: the one `said`, or that of the mail replied to.

    So a reply to an old board mail cannot move again. A reply to an invitation names no ply.
    """
    return said if said is not None else context.ply_seen(number) or None


def give_up(context: Context, board: Board, player: PlayerId) -> Iterator[Message]:
    """Resign the match for `player`; before their first move this declines it."""
    seat, comment = seat_of(board, player), context.comment
    after = resigned(board, seat, comment=comment, now=context.now, draw=context.draw)
    yield from save_and_report(context, board, after, _resignation(after, player, comment))


def _resignation(
    after: Board, player: PlayerId, comment: str = "", *, queued: bool = False
) -> Happening:
    event, text = (ENDED, "") if after.match.over else (LEFT, "resigned")
    return Happening(event, player, text, comment, queued=queued)


DROPPED = Event(
    "dropped",
    lambda seen: (
        f"Your queued move {seen.text} can no longer be played; it was dropped, and so were the "
        "moves queued after it."
    ),
    Effect.OTHER,
)


def _play_queued(context: Context, board: Board) -> tuple[Board, tuple[Happening, ...]]:
    """Play the queued moves of the players to move, until none is due.

    Returns the match after these moves, which the caller saves, and what has happened. A move
    that has become illegal is dropped; only its owner learns of it.
    """
    plans, number = context.work.plans, board.match.number
    stored = {player: plans.queued(number, player) for player in plans.queuers(number)}
    queues, happenings = dict(stored), []
    while (found := _next(board, queues)) is not None:
        seat, player, queued = found
        try:
            after, turns = _answered(context, board, seat, queued.text)
        except MoveError:
            queues[player] = without_illegal(queues[player], queued)
            dropped = Happening(DROPPED, player, queued.text, only_for=player)
            happenings.append(dropped)
        else:
            queues[player] = without(queues[player], queued)
            happenings += turns
            board = after
    for player, queue in queues.items():
        kept = still_possible(board.match, queue)
        if kept != stored[player]:
            plans.set_queued(number, player, kept)
    return board, tuple(happenings)


def _answered(
    context: Context, board: Board, seat: Seat, text: str
) -> tuple[Board, tuple[Happening, ...]]:
    """Return the match after a queued move, or a resignation in place of one, and what happened."""
    now, draw, player = context.now, context.draw, board.match.players[seat]
    if text == RESIGN:
        after = resigned(board, seat, comment="", now=now, draw=draw)
        return after, (_resignation(after, player, queued=True),)
    after = play(board, seat, text, due=None, comment="", now=now, draw=draw)
    return after, turns_of(board, after, player, queued=True)


def _next(
    board: Board, queues: Mapping[PlayerId, tuple[QueuedMove, ...]]
) -> tuple[Seat, PlayerId, QueuedMove] | None:
    for seat in board.to_move:
        player = board.match.players[seat]
        queued = due_move(board.match, queues.get(player, ()))
        if queued is not None:
            return seat, player, queued
    return None
