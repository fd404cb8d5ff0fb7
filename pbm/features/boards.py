"""Boards to look at: one or some with all their moves, and tables of them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated

from pbm.core.board_messages import DrawnBoard, DrawnBoards
from pbm.core.budget import CLOCK_READ, QUERY, ROW, drawn
from pbm.core.command import CommandLine, Parameter, Proof, Request, Userids, as_asked, command
from pbm.core.context import Context, everybody, seat_token
from pbm.core.letters import Message, answer
from pbm.core.open_boards import deadlines_of, is_for_two, most_urgent_first
from pbm.core.robots import robot_line
from pbm.core.tokens import player_token
from pbm.core.words import board_written, is_board
from pbm.domain.dates import time_left
from pbm.domain.errors import NotUnderstood
from pbm.domain.player import Player, PlayerId
from pbm.domain.seen import SeenBoard, seen
from pbm.engine import fold
from pbm.render.marks import Column, link, table
from pbm.store.match_reading import MatchRow

BOARDS = 200
"""Boards in one table."""

BOARDS_SHOWN = 20
"""Boards drawn in one mail."""

_OVER = {"active": False, "next": False, "inactive": True, "all": None}
"""The words that say which boards are meant, and whether those are over; None: either."""

_MOST_WORDS = 100
"""Words of a line that are looked at, because a line may have thousands, of letters of any kind."""

_Asked = Annotated[tuple[tuple[int, int | None], ...], Parameter.BOARDS]
"""Boards to show, by number, each after a ply; None: as it is now."""


def _read_show(line: CommandLine) -> Request:
    """Read `B[#n]...`, or behind a game `userid... [which]`."""
    if line.game and line.words.rest and not is_board(line.words.rest[0]):
        userids, which = _userids_and_which(line)
        if userids:
            return line.request(asked=(), userids=userids, which=which[-1] if which else "active")
    boards = []
    while line.words.rest:
        number, ply = line.words.board_number()
        if number is None:
            raise NotUnderstood(
                "show takes only board numbers. To play a move, use move.", line.example
            )
        boards.append((number, ply))
    if not boards and line.answered is not None:
        boards.append((line.answered, None))
    if not boards:
        raise NotUnderstood("show needs the number of a board.", line.example)
    return line.request(asked=tuple(boards[:BOARDS_SHOWN]), userids=(), which="active")


def _userids_and_which(line: CommandLine) -> tuple[tuple[str, ...], list[str]]:
    """Return the userids among the first words of a line, and the words that say which boards."""
    words = {word: fold(word) for word in line.words.rest[:_MOST_WORDS]}
    which = [form for form in words.values() if form in _OVER]
    return tuple(word for word, form in words.items() if form not in _OVER)[:20], which


def _write_show(request: Request) -> tuple[str, ...]:
    if request.arguments["userids"]:
        return request.words("userids", "which")
    return tuple(board_written(number, ply) for number, ply in request.arguments["asked"])


@command(
    "show", "B[#n]...", "shows boards with all their moves", "show 104",
    needs=Proof.REGISTERED, read=_read_show, aliases=("board", "display"), echo=as_asked,
    writes=_write_show,
    text="#n shows the position after n plies. GAME show userid... [all, active, inactive, "
         "next] shows up to 20 boards of these players in one mail.",
)  # fmt: skip
def show(context: Context, asked: _Asked, userids: Userids, which: str) -> Iterator[Message]:
    """Mail the boards `asked` for, or if none are those of the players `userids`.

    `which` of their boards is active, all, inactive or next.
    """
    reader, asked = context.asker(), _boards_of(context, userids, which) if userids else asked
    context.budget.charge(QUERY)
    if not asked:
        yield _table(context, (), own=False)
        return
    boards = _drawn(context, reader, tuple(dict.fromkeys(asked)))
    first, alone = boards[0], len(boards) == 1
    yield answer(
        reader, "boards/shown", boards=DrawnBoards(boards),
        board=first.board.match.number if alone else None,
        reply=seat_token(first.board, reader) if alone and not first.earlier else None,
    )  # fmt: skip


def _drawn(context: Context, reader: Player, asked: _Asked) -> tuple[DrawnBoard, ...]:
    """Return the boards as they are drawn for `reader`, with the notes that only they see."""
    boards: list[tuple[SeenBoard, bool]] = []
    for number, ply in asked:
        board = context.boards.get(number, context.game)
        context.budget.charge(drawn(board.position.ply if ply is None else ply, len(asked)))
        earlier = ply is not None and ply != board.position.ply
        past = context.boards.position_at(board, ply) if ply is not None and earlier else board
        boards.append((seen(past, reader.id, over=board.match.over), earlier))
    people = context.people({player for board, _ in boards for player in everybody(board)})
    plans, several = context.work.plans, len(boards) > 1
    return tuple(
        DrawnBoard(
            board, people, context.now, private=plans.private_notes(board.match.number, reader.id),
            whole=True, earlier=earlier, several=several,
        )
        for board, earlier in boards
    )  # fmt: skip


def _boards_of(context: Context, userids: tuple[str, ...], which: str) -> _Asked:
    """Return the boards of these players, each at its current position."""
    context.budget.charge(QUERY * (1 + len(userids)))
    ids = [player.id for player in context.players(userids)]
    return tuple((row.number, None) for row in _rows(context, ids, which, BOARDS_SHOWN))


def _rows(
    context: Context, players: Sequence[PlayerId], which: str, most: int
) -> tuple[MatchRow, ...]:
    return context.work.matches.listing(
        context.game, players, over=_OVER[which], to_move=which == "next", limit=most
    )


def _read_games(line: CommandLine) -> Request:
    """Read `[userid...] [which]`; all without userids means everybody's boards."""
    userids, which = _userids_and_which(line)
    everyone = not userids and "all" in which
    if everyone:
        which.remove("all")
    last = which[-1] if which else "active"
    return line.request(userids=userids, which=last, everyone=everyone)


def _write_games(request: Request) -> tuple[str, ...]:
    whose = ("all",) if request.arguments["everyone"] else request.words("userids")
    return (*whose, *(word for word in request.words("which") if word != "active"))


@command(
    "games", "[userid...] [all, active, inactive, next]",
    "lists your boards, the most urgent first, with the time left", "games",
    needs=Proof.REGISTERED, read=_read_games, writes=_write_games, echo=as_asked,
    text="games next: only those where it is your turn.\n"
         "games inactive: finished boards.\n"
         "games bob: bob's boards; games bob all: finished ones too.\n"
         "games all: the open boards of all players.\n"
         "With the name of a game before it, only boards of that game.",
)  # fmt: skip
def games(context: Context, userids: Userids, which: str, *, everyone: bool) -> Iterator[Message]:
    """Mail a table of boards: of the players named, of the reader, or of everybody.

    Those of players come with the time that is left, the most urgent first.
    """
    context.budget.charge(QUERY * (2 + len(userids)))
    reader, pages = context.asker(), context.services.pages
    players = () if everyone else context.players(userids) or (reader,)
    ids = [player.id for player in players]
    rows = _rows(context, ids, which, BOARDS)
    more = 0
    if len(rows) == BOARDS:
        over, to_move = _OVER[which], which == "next"
        count = context.work.matches.count(context.game, ids, over=over, to_move=to_move)
        more = count - BOARDS
    context.budget.charge((ROW if everyone else ROW + CLOCK_READ) * len(rows))
    deadlines = None if everyone else deadlines_of(context, rows)
    if deadlines is not None:
        rows = most_urgent_first(rows, ids, deadlines)
    yield _table(
        context, rows, own=players == (reader,), more=more, deadlines=deadlines, which=which,
        page=pages.of_player(players[0]) if len(players) == 1 else pages.url,
    )  # fmt: skip


_Deadlines = Mapping[int, datetime | None]
"""When the player to move on a board forfeits, by number; None for a stopped clock."""


def _table(
    context: Context,
    rows: Sequence[MatchRow],
    *,
    own: bool,
    more: int = 0,
    deadlines: _Deadlines | None = None,
    which: str = "active",
    page: str = "",
) -> Message:
    """Return the mail with a table of boards, `more` of which are left out.

    With `deadlines` it shows the time that is left on each board, else since when it waits. If the
    reader asked for their own boards and has none, it says how to find an opponent.
    """
    reader, catalogue = context.asker(), tuple(context.catalogue)
    # A game that a reader without boards could play.
    game = context.game or next(filter(is_for_two, catalogue), catalogue[0]).info.key
    urgent = deadlines is not None and any(not row.over for row in rows)
    return answer(
        reader, "boards/games", own=own, urgent=urgent, more=more, key=game, empty=_NONE[which],
        table=table(_columns(deadlines), _cells(rows, deadlines, context.now)) if rows else "",
        first=rows[0].number if rows else None,
        robot=robot_line(context, game) if own else "",
        page=page, reply=player_token(reader.id),
    )  # fmt: skip


_NONE = {
    "active": "You have no open boards.",
    "next": "No board waits for your move.",
    "inactive": "You have no finished boards.",
    "all": "You have not played yet.",
}
"""The sentence for a reader who asked for these boards and has none."""


def _columns(deadlines: _Deadlines | None) -> tuple[Column, ...]:
    return (
        Column("board", "{:>5}  "),
        Column("game", "{:<8} "),
        Column("moves", "{:>5}  ", minor=True),
        Column("since" if deadlines is None else "time left", "{:<9} "),
        Column("players, * to move"),
    )


def _cells(
    rows: Sequence[MatchRow], deadlines: _Deadlines | None, now: datetime
) -> Iterator[tuple[str, ...]]:
    for row in rows:
        number = link(str(row.number), f"show {row.number}")
        yield number, row.game, str(row.ply), _time(row, deadlines, now), _sitting(row)


def _time(row: MatchRow, deadlines: _Deadlines | None, now: datetime) -> str:
    """Return "3 days" of time left, or "20 Nov 26" since when a board waits."""
    if deadlines is None:
        return f"{row.turn_since:%d %b %y}"
    if row.over:
        return ""
    end = deadlines.get(row.number)
    return "stands" if end is None else time_left(end - now).replace(_SOON, "< 1 hour")


_SOON = time_left(timedelta(0))
"""Too long for a column."""


def _sitting(row: MatchRow) -> str:
    """Return "alice* - bob", a star for each player to move; "over: alice - bob" at the end."""
    names = (f"{name}{'*' * (seat in row.to_move)}" for seat, name in enumerate(row.shown))
    return f"{'over: ' * row.over}{' - '.join(names)}"
