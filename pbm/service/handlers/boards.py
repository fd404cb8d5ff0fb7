"""Questions that anybody with a registered address may ask: boards, and tables of boards."""

from collections.abc import Iterator, Mapping

from pbm.domain.play import LiveMatch
from pbm.service.board_messages import BoardsShown, GamesTable
from pbm.service.budget import CLOCK_READ, QUERY, ROW, drawn
from pbm.service.commands.boards import Games, Show
from pbm.service.context import Context, Handler, everybody, seat_token
from pbm.service.letters import Message
from pbm.service.new_match import is_for_two
from pbm.service.open_boards import deadlines_of, most_urgent_first
from pbm.service.robots import robot_line
from pbm.service.tokens import player_token

BOARDS = 200
"""Boards in one table."""

BOARDS_SHOWN = 20
"""Boards drawn in one mail."""

_OVER = {"active": False, "next": False, "inactive": True, "all": None}


def show_boards(context: Context, command: Show) -> Iterator[Message]:
    """Show the boards in one mail, each as it stands now or stood at an earlier ply."""
    if context.reader is None:
        return
    boards: list[LiveMatch] = []
    earlier: set[int] = set()
    asked = _boards_of(context, command) if command.userids else command.asked
    context.budget.spend(QUERY)
    if not asked:
        yield GamesTable(context.reader, (), context.now)
        return
    wanted = dict.fromkeys(asked)
    for number, ply in wanted:
        board = context.boards.get(number, context.game)
        context.budget.spend(drawn(board.position.ply if ply is None else ply, len(wanted)))
        if ply is not None and ply != board.position.ply:
            earlier.add(len(boards))
            board = context.boards.position_at(board, ply)
        boards.append(board)
    people = context.people({player for board in boards for player in everybody(board)})
    answerable = len(boards) == 1 and not earlier
    token = seat_token(boards[0], context.reader) if answerable else None
    yield BoardsShown(
        to=context.reader,
        boards=tuple(boards),
        people=people,
        now=context.now,
        earlier=frozenset(earlier),
        reply=token,
    )


def _boards_of(context: Context, command: Show) -> tuple[tuple[int, int | None], ...]:
    """Return the boards of the players that `command` names, each at its current position."""
    context.budget.spend(QUERY * (1 + len(command.userids)))
    rows = context.work.matches.listing(
        context.game,
        [player.id for player in context.players(command.userids)],
        over=_OVER[command.which],
        to_move=command.which == "next",
        limit=BOARDS_SHOWN,
    )
    return tuple((row.number, None) for row in rows)


def list_boards(context: Context, command: Games) -> Iterator[Message]:
    """List the boards of the players named, of the reader, or of everybody.

    Those of players come with the time that is left, the most urgent first.
    """
    if context.reader is None:
        return
    context.budget.spend(QUERY * (2 + len(command.userids)))
    reader = context.reader
    players = () if command.everybody else context.players(command.userids) or (reader,)
    ids = [player.id for player in players]
    over, to_move = _OVER[command.which], command.which == "next"
    matches = context.work.matches
    rows = matches.listing(context.game, ids, over=over, to_move=to_move, limit=BOARDS)
    more = 0
    if len(rows) == BOARDS:
        more = matches.count(context.game, ids, over=over, to_move=to_move) - BOARDS
    context.budget.spend((ROW if command.everybody else ROW + CLOCK_READ) * len(rows))
    deadlines = None if command.everybody else deadlines_of(context, rows)
    if deadlines is not None:
        rows = most_urgent_first(rows, {player.userid for player in players}, deadlines)
    yield GamesTable(
        to=reader,
        rows=rows,
        now=context.now,
        more=more,
        deadlines=deadlines,
        own=players == (reader,),
        which=command.which,
        game=_offer(context),
        robot=robot_line(context, _offer(context)) if players == (reader,) else "",
        reply=player_token(reader.id),
    )


def _offer(context: Context) -> str:
    """Return the key of a game that a reader without boards could play."""
    games = tuple(context.services.catalogue)
    return context.game or next(filter(is_for_two, games), games[0]).info.key


HANDLERS: Mapping[type, Handler] = {
    Show: show_boards,
    Games: list_boards,
}
