"""Moves kept for one's turn, and positions that are only looked at."""

from collections.abc import Iterator, Mapping

from pbm.domain.errors import NotNow, StaleMove
from pbm.domain.match import Match, Terms
from pbm.domain.plans import (
    QueuedMove,
    conditional,
    remaining,
    still_possible,
    unconditional,
    with_move,
)
from pbm.domain.play import LiveMatch, check_open, live, play, position_at, seat_of
from pbm.domain.player import PlayerId
from pbm.domain.variations import play_variation
from pbm.service.commands.plans import ClearQueue, PlaySubmitted, Preview, PreviewNew, Queue, Submit
from pbm.service.context import Context, board_notices, everybody, seat_token
from pbm.service.handlers.base import Handler
from pbm.service.notices import Notice
from pbm.service.notices.happenings import Event, Happening
from pbm.service.notices.plans import Previewed
from pbm.service.steps.starting import setup_of
from pbm.service.steps.turns import due_ply, take_turn


def queue(context: Context, command: Queue) -> Iterator[Notice]:
    """Keep a move for the player's turn, or say what is kept.

    A move without a condition is played at once if it is the player's turn.
    """
    player, table = _seated(context, command.number)
    kept = still_possible(table.match, context.work.intentions.queued(table.match.number, player))
    at_turn = player in {table.match.players[seat] for seat in table.to_move}
    if not command.text:
        yield from _told(context, table, kept)
    elif at_turn and command.condition is None:
        yield from take_turn(context, table.match.number, command.text, table.due)
    else:
        added = _read(table, player, kept, command)
        yield from _kept(context, table, with_move(table.match, kept, added))


def clear(context: Context, command: ClearQueue) -> Iterator[Notice]:
    """Forget what the player has queued on a board."""
    _, table = _seated(context, command.number)
    yield from _kept(context, table, ())


def _seated(context: Context, number: int | None) -> tuple[PlayerId, LiveMatch]:
    player = context.sender()
    table = context.table(number)
    seat_of(table, player.id)
    check_open(table)
    return player.id, table


def _read(
    table: LiveMatch, player: PlayerId, kept: tuple[QueuedMove, ...], command: Queue
) -> QueuedMove:
    if command.condition is None:
        return unconditional(table, player, kept, command.text)
    return conditional(table, player, command.text, command.condition)


def _kept(context: Context, table: LiveMatch, kept: tuple[QueuedMove, ...]) -> Iterator[Notice]:
    """Store the queue, and the match unchanged.

    The match is saved so that its version tells a worker who plays on this board at the same
    time: he has not seen the queue, and must play again what would otherwise wait for ever.
    """
    context.work.intentions.set_queued(table.match.number, context.sender().id, kept)
    yield from _told(context, context.tables.save(table, table), kept)


def _told(context: Context, table: LiveMatch, kept: tuple[QueuedMove, ...]) -> Iterator[Notice]:
    me = context.sender().id
    text = "; ".join(_described(table.match, move) for move in kept)
    yield from board_notices(context, table, Happening(Event.QUEUED, me, text, only_for=me))


def _described(match: Match, move: QueuedMove) -> str:
    """Return "C4", or "C4 if C3 then D4"."""
    awaited = remaining(match, move)
    return f"{move.text} if {' then '.join(awaited)}" if awaited else move.text


def submit(context: Context, command: Submit) -> Iterator[Notice]:
    """Keep a move until it is confirmed, and show its player what it would come to."""
    player = context.sender()
    table = context.table(command.number)
    number = table.match.number
    due = due_ply(context, number, command.due)
    seat = seat_of(table, player.id)
    after = play(table, seat, command.text, due=due, comment="", now=context.now)
    text = after.match.plies[-1].text
    context.work.intentions.set_submitted(number, player.id, (table.due, text))
    people = context.people(everybody(table))
    token = seat_token(table, player)
    yield Previewed(player, after, (text,), people, submitted=True, reply=token)


def play_submitted(context: Context, command: PlaySubmitted) -> Iterator[Notice]:
    """Play the move that was submitted, if that ply is still due."""
    player = context.sender()
    table = context.table(command.number)
    number = table.match.number
    submitted = context.work.intentions.submitted(number, player.id)
    if submitted is None:
        raise NotNow(f"You have submitted no move on board {number}.", f"show {number}")
    due, text = submitted
    if due != table.due:
        raise StaleMove(
            f"You submitted {text} as move {due} of board {number}, but move {table.due} is due.",
            f"show {number}",
        )
    context.work.intentions.set_submitted(number, player.id, None)
    yield from take_turn(context, number, text, due)


def preview(context: Context, command: Preview) -> Iterator[Notice]:
    """Show a board as it would be after some moves; nothing changes."""
    if context.reader is None:
        return
    table = context.table(command.number)
    number = table.match.number
    if command.ply is not None:
        table = position_at(table, command.ply)
    moves, after = play_variation(table, command.text)
    people = context.people(everybody(table))
    token = seat_token(context.tables.get(number), context.reader)
    yield Previewed(context.reader, after, moves, people, reply=token)


def preview_new(context: Context, command: PreviewNew) -> Iterator[Notice]:
    """Show a new board of a game as it would be after some moves."""
    if context.reader is None:
        return
    moves, after = play_variation(_new_board(context, command), command.text)
    yield Previewed(context.reader, after, moves, {})


def _new_board(context: Context, command: PreviewNew) -> LiveMatch:
    """Return a match of nobody's, with no number, that is stored nowhere."""
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
