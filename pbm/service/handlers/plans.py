"""Moves kept for a player's turn, and previews of positions."""

from collections.abc import Iterator, Mapping
from functools import partial

from pbm.domain.errors import NotNow, StaleMove
from pbm.domain.invitations import Terms
from pbm.domain.match import Match
from pbm.domain.plans import (
    LONGEST_MOVE,
    MOST_MOVES,
    QueuedMove,
    conditional,
    conditionals_in,
    play_variation,
    remaining,
    still_possible,
    unconditional,
    with_move,
)
from pbm.domain.play import LiveMatch, check_open, live, play, seat_of
from pbm.domain.player import PlayerId
from pbm.features.turns import due_ply, take_turn
from pbm.service.board_messages import Event, Happening, Previewed
from pbm.service.budget import TURN_TRIED, Cost, drawn
from pbm.service.commands.plans import ClearQueue, PlaySubmitted, Preview, PreviewNew, Queue, Submit
from pbm.service.context import Context, Handler, board_notices, everybody, seat_token
from pbm.service.letters import Message
from pbm.service.new_match import setup_of


def queue(context: Context, command: Queue) -> Iterator[Message]:
    """Keep a move for the player's turn, or say which moves are kept.

    A move without a condition is played at once if it is the player's turn.
    """
    player, board = _seated(context, command.number)
    kept = still_possible(board.match, context.work.plans.queued(board.match.number, player))
    at_turn = player in {board.match.players[seat] for seat in board.to_move}
    if not command.text and command.condition is None:
        yield from _told(context, board, kept)
    elif at_turn and command.condition is None:
        yield from take_turn(context, board.match.number, command.text, board.due)
    else:
        for added in _read(context, board, kept, command):
            kept = with_move(board.match, kept, added)
        yield from _kept(context, board, kept)


def clear(context: Context, command: ClearQueue) -> Iterator[Message]:
    """Forget what the player has queued on a board."""
    _, board = _seated(context, command.number)
    yield from _kept(context, board, ())


def _seated(context: Context, number: int | None) -> tuple[PlayerId, LiveMatch]:
    player = context.sender()
    board = context.board(number)
    seat_of(board, player.id)
    check_open(board)
    return player.id, board


def _read(
    context: Context, board: LiveMatch, kept: tuple[QueuedMove, ...], command: Queue
) -> tuple[QueuedMove, ...]:
    player, budget = context.sender().id, context.budget
    if command.condition is None:
        trying = partial(budget.work, TURN_TRIED)
        return (unconditional(board, player, kept, command.text, trying),)
    budget.work(_variation(command.condition))
    if not command.text:
        return conditionals_in(board, player, command.condition)
    return (conditional(board, player, command.text, command.condition),)


def _variation(text: str) -> Cost:
    """Return the price of playing the moves of `text`: a move may be any run of its words."""
    words = len(text.replace(",", " ").replace(";", " ").split())
    return TURN_TRIED * (LONGEST_MOVE * min(words, MOST_MOVES))


def _kept(context: Context, board: LiveMatch, kept: tuple[QueuedMove, ...]) -> Iterator[Message]:
    """Store the queue, and save the match unchanged.

    Saving the match changes its version. A worker that plays on this board at the same time has
    not seen the queue; it now plays again, or the queued moves would wait for ever.
    """
    context.work.plans.set_queued(board.match.number, context.sender().id, kept)
    yield from _told(context, context.boards.save(board, board), kept)


def _told(context: Context, board: LiveMatch, kept: tuple[QueuedMove, ...]) -> Iterator[Message]:
    me = context.sender().id
    text = "; ".join(_described(board.match, move) for move in kept)
    yield from board_notices(context, board, Happening(Event.QUEUED, me, text, only_for=me))


def _described(match: Match, move: QueuedMove) -> str:
    """Return "C4", or "C4 if C3 then D4"."""
    awaited = remaining(match, move)
    return f"{move.text} if {' then '.join(awaited)}" if awaited else move.text


def submit(context: Context, command: Submit) -> Iterator[Message]:
    """Keep a move until it is confirmed, and show the player the position it would lead to."""
    player = context.sender()
    board = context.board(command.number)
    number = board.match.number
    due = due_ply(context, number, command.due)
    seat = seat_of(board, player.id)
    context.budget.work(TURN_TRIED + drawn(0))
    after = play(board, seat, command.text, due=due, comment="", now=context.now)
    text = after.match.plies[-1].text
    context.work.plans.set_submitted(number, player.id, (board.due, text))
    people = context.people(everybody(board))
    token = seat_token(board, player)
    yield Previewed(player, after, (text,), people, submitted=True, reply=token)


def play_submitted(context: Context, command: PlaySubmitted) -> Iterator[Message]:
    """Play the move that was submitted, if that ply is still due."""
    player = context.sender()
    board = context.board(command.number)
    number = board.match.number
    submitted = context.work.plans.submitted(number, player.id)
    if submitted is None:
        raise NotNow(f"You have submitted no move on board {number}.", f"show {number}")
    due, text = submitted
    if due != board.due:
        raise StaleMove(
            f"You submitted {text} as move {due} of board {number}, but move {board.due} is due.",
            f"show {number}",
        )
    context.work.plans.set_submitted(number, player.id, None)
    yield from take_turn(context, number, text, due)


def preview(context: Context, command: Preview) -> Iterator[Message]:
    """Show a board as it would be after some moves; nothing changes."""
    if context.reader is None:
        return
    context.budget.spend(drawn(0) + _variation(command.text))
    board = context.board(command.number)
    number = board.match.number
    if command.ply is not None:
        board = context.boards.position_at(board, command.ply)
    moves, after = play_variation(board, command.text)
    people = context.people(everybody(board))
    token = seat_token(context.boards.get(number), context.reader)
    yield Previewed(context.reader, after, moves, people, reply=token)


def preview_new(context: Context, command: PreviewNew) -> Iterator[Message]:
    """Show a new board of a game as it would be after some moves."""
    if context.reader is None:
        return
    context.budget.spend(drawn(0) + _variation(command.text))
    moves, after = play_variation(_new_board(context, command), command.text)
    yield Previewed(context.reader, after, moves, {})


def _new_board(context: Context, command: PreviewNew) -> LiveMatch:
    """Return a match with no players and no number, which is not stored."""
    game = context.services.catalogue.get(command.game)
    setup = setup_of(game, command.options, context.services.chance.seed())
    seats = tuple(-seat for seat, _ in enumerate(game.info.seats))
    return live(
        Match(
            number=0,
            game=game.info.key,
            rules_version=game.info.rules_version,
            setup=setup,
            terms=Terms(),
            starters=seats,
            players=seats,
            started_at=context.now,
            turn_since=context.now,
        ),
        game,
    )


HANDLERS: Mapping[type, Handler] = {
    Queue: queue,
    ClearQueue: clear,
    Submit: submit,
    PlaySubmitted: play_submitted,
    Preview: preview,
    PreviewNew: preview_new,
}
