"""Positions that are only looked at: a move before it is played, lines of play, new boards."""

from collections.abc import Iterator

from pbm.domain.commands import Move, PlaySubmitted, Preview, PreviewNew, Submit
from pbm.domain.errors import NotNow, StaleMove
from pbm.domain.lines import play_line
from pbm.domain.match import Match, Terms
from pbm.domain.playing import LiveMatch, live, play, position_at, seat_of
from pbm.service.context import Context, everybody, seat_token
from pbm.service.handlers.playing import due_ply
from pbm.service.handlers.playing import move as play_now
from pbm.service.handlers.starting import setup_of
from pbm.service.notices import Notice, Previewed


def submit(context: Context, command: Submit) -> Iterator[Notice]:
    """Keep a move until it is confirmed, and show its player what it would come to."""
    player = context.sender()
    table = context.table(command.board)
    number = table.match.number
    due = due_ply(context, number, command.due)
    seat = seat_of(table, player.id)
    after = play(table, seat, command.text, due=due, comment="", now=context.now)
    text = after.match.plies[-1].text
    context.work.intentions.set_submitted(number, player.id, (table.due, text))
    people = context.people(everybody(table))
    token = seat_token(table, player)
    yield Previewed(player, after, (text,), people, token, submitted=True)


def play_submitted(context: Context, command: PlaySubmitted) -> Iterator[Notice]:
    """Play the move that was submitted, if that ply is still due."""
    player = context.sender()
    table = context.table(command.board)
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
    yield from play_now(context, Move(number, text, due))


def preview(context: Context, command: Preview) -> Iterator[Notice]:
    """Show a board as it would be after some moves; nothing changes."""
    if context.reader is None:
        return
    table = context.table(command.board)
    number = table.match.number
    if command.ply is not None:
        table = position_at(table, command.ply)
    moves, after = play_line(table, command.text)
    people = context.people(everybody(table))
    token = seat_token(context.tables.get(number), context.reader)
    yield Previewed(context.reader, after, moves, people, token)


def preview_new(context: Context, command: PreviewNew) -> Iterator[Notice]:
    """Show a new board of a game as it would be after some moves."""
    if context.reader is None:
        return
    moves, after = play_line(_new_board(context, command), command.text)
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
