"""`pbm game`: matches, for the operator."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

import click

from pbm.cli.completion import complete_board, complete_game, complete_player
from pbm.cli.options import (
    Rows,
    administering,
    administers,
    json_option,
    lists,
    reason_option,
    setting,
    signed,
    with_app,
)
from pbm.cli.printing import Noun, echo, echo_json
from pbm.cli.rules import read_pairs
from pbm.domain.player import Player, PlayerId
from pbm.engine import Viewer, draw

if TYPE_CHECKING:
    from pbm.core.audit import Signature
    from pbm.domain.play import Board
    from pbm.domain.seen import SeenBoard
    from pbm.operator.administration import Administration
    from pbm.server.assembly import App
    from pbm.store.match_reading import MatchRow
    from pbm.store.unit import UnitOfWork

board_argument = click.argument("board", type=int, shell_complete=complete_board)


@click.group(cls=Noun)
def game() -> None:
    """Create, list, show, decide and correct matches."""


@game.command()
@click.argument("game", shell_complete=complete_game)
@click.argument("userids", nargs=-1, required=True, shell_complete=complete_player)
@setting("--option", "options", multiple=True, metavar="NAME=VALUE", help="A game option.")
@setting("--match", multiple=True, metavar="NAME=VALUE", help="A match option.")
@administers
def create(
    admin: Administration,
    game: str,
    userids: tuple[str, ...],
    options: tuple[str, ...],
    match: tuple[str, ...],
) -> str:
    """Start a match at once and notify its players.

    The first of the USERIDS has the first seat.
    """
    rules = admin.services.catalogue.get(game)
    number = admin.create_match(rules, userids, read_pairs(options), read_pairs(match))
    return f"board {number}"


def _facts(row: MatchRow) -> Mapping[str, Any]:
    return {
        "number": row.number, "game": row.game, "players": row.userids, "ply": row.ply,
        "to_move": row.to_move, "turn_since": row.turn_since, "over": row.over,
        "robots": row.robots,
    }  # fmt: skip


@game.command("list")
@click.argument("game", required=False, shell_complete=complete_game)
@setting("--all", "everything", is_flag=True, help="Include finished matches.")
@lists(
    ("board", "game", "players", "moves", "to move", "since"),
    lambda r: (r.number, r.game, " - ".join(r.shown), r.ply,
               "over" if r.over else ", ".join(r.userids[s] for s in r.to_move),
               f"{r.turn_since:%Y-%m-%d}"),
    _facts,
)  # fmt: skip
def list_matches(app: App, game: str | None, everything: bool) -> Rows:
    """List the open matches of one GAME or of all games."""
    key = app.catalogue.get(game).info.key if game else None
    with app.open_reading() as work:
        return work.matches.listing(key, over=None if everything else False, limit=100_000)


def _board(app: App, work: UnitOfWork, word: str) -> Board:
    """Return the match that `B` or `B#n` names, now or after n plies."""
    from pbm.core.boards import LoadedBoards
    from pbm.core.words import Words
    from pbm.domain.play import position_at

    number, ply = Words([word]).board_number()
    if number is None:
        raise click.BadParameter("a board is a number, or NUMBER#PLY")
    board = LoadedBoards(work, app.catalogue, app.clock()).get(number)
    return board if ply is None else position_at(board, ply)


@game.command()
@click.argument("word", metavar="BOARD", shell_complete=complete_board)
@json_option
@with_app
def show(app: App, word: str, as_json: bool) -> None:
    """Show BOARD: a number, or NUMBER#N for the position after N moves."""
    from pbm.domain.seen import seen

    with app.open_reading() as work:
        board = _board(app, work, word)
        people = work.players.by_ids((*board.match.players, *board.match.starters))
        # Within the unit, because the beginning of the log is read on first use.
        (_show_as_json if as_json else _show_as_text)(seen(board, None), people)


def _show_as_json(board: SeenBoard, people: Mapping[PlayerId, Player]) -> None:
    from pbm.domain.record import record as match_record

    plain = match_record(board.match, board.game, people)
    picture = draw(board.diagram(Viewer()))
    to_move = list(board.to_move)
    echo_json({**plain, "ply": board.ply, "to_move": to_move, "picture": picture})


def _show_as_text(board: SeenBoard, people: Mapping[PlayerId, Player]) -> None:
    from pbm.domain.description import about, outcome_line
    from pbm.mail.writing.move_list import move_list

    picture = draw(board.diagram(Viewer()))
    for part in (about(board.match, board.game), picture, move_list(board, people)):
        echo(part + "\n")
    echo(outcome_line(board, people) or _turn(board))


def _turn(board: SeenBoard) -> str:
    """Return the ply that is due and the sides to move."""
    return f"move {board.due}: {', '.join(board.sides[seat] for seat in board.to_move)}"


@game.command()
@board_argument
@setting("--text", "as_text", is_flag=True, help="Print a playthrough instead of JSON.")
@setting("--moves", is_flag=True, help="Print only the moves, one per line.")
@with_app
def record(app: App, board: int, as_text: bool, moves: bool) -> None:
    """Print the record of a match as JSON, for pbm game import.

    To replay it: pbm game record 104 --moves | pbm dev rules trace GAME --option NAME=VALUE
    """
    from pbm.domain.errors import UnknownName
    from pbm.domain.record import record as match_record
    from pbm.domain.record import record_text
    from pbm.domain.seen import seen_match

    if as_text and moves:
        raise click.UsageError("use --text or --moves, not both")
    with app.open_reading() as work:
        found = work.matches.get(board)
        if found is None:
            raise UnknownName(f"There is no board {board}.")
        match = seen_match(found[0], None)
        people = work.players.by_ids((*match.players, *match.starters))
        rules = app.catalogue.rules(match.game, match.rules_version)
        engine = rules or app.catalogue.get(match.game)
        # Within the unit, because the beginning of the log is read on first use.
        if moves:
            echo("".join(f"{turn.text}\n" for turn in match.turns), nl=False)
        elif as_text:
            echo(record_text(match, engine, people), nl=False)
        else:
            echo_json(match_record(match, engine, people))


@game.command("import")
@click.argument("file", type=click.File("rb"))
@with_app
@signed
def import_record(app: App, file: BinaryIO, by: Signature) -> None:
    """Import a match from its JSON record in FILE, or from standard input if FILE is -.

    The match becomes a new board. Its players need accounts with the same userids. Ratings do not
    change.
    """
    from pbm.operator.administration import import_match

    try:
        data = json.load(file)
    except (ValueError, RecursionError):
        raise click.BadParameter("FILE is not JSON; pbm game record prints it") from None
    with administering(app, by) as admin:
        number = import_match(admin, data)
    echo(f"board {number}")


@game.command()
@board_argument
@reason_option
@administers
def undo(admin: Administration, board: int) -> str:
    """Take back the last move, or the end of a match if no move ended it.

    That can be your decision, a resignation, an agreed draw or a loss on time. The match goes on,
    its ratings are undone, and the players are sent the board.
    """
    from pbm.domain.timekeeping import players_to_move

    after, what = admin.undo(board)
    people = admin.work.players.by_ids(after.match.players)
    movers = ", ".join(people[player].userid for player in players_to_move(after))
    return f"board {board}: {what} is taken back; move {after.due} is due, {movers} to move"


@game.command()
@board_argument
@click.argument("winner")
@reason_option
@administers
def adjudicate(admin: Administration, board: int, winner: str) -> str:
    """Decide a match: WINNER is a userid, or draw.

    The players are notified, with the reason. Scripts can also name the seat of the winner,
    counted from 0.
    """
    after = admin.adjudicate(board, _winners(admin, board, winner))
    people = admin.work.players.by_ids(after.match.players)
    winners = after.match.outcome.winners if after.match.outcome else ()
    won = ", ".join(people[after.match.players[seat]].userid for seat in winners)
    return f"board {board} is over: {f'{won} won' if won else 'a draw'}"


def _winners(admin: Administration, board: int, winner: str) -> tuple[int, ...]:
    """Return the seats that WINNER names; no userid is draw, or a number."""
    if winner.lower() == "draw":
        return ()
    return (int(winner) if winner.isdecimal() else admin.seat_of(board, winner),)


@game.command()
@board_argument
@reason_option
@administers
def close(admin: Administration, board: int) -> str:
    """End a match without a result, and notify the players, with the reason."""
    admin.close(board)
    return f"board {board} is closed"


@game.command(context_settings={"ignore_unknown_options": True})  # -3 is a wrong number of DAYS
@board_argument
@click.argument("days", type=click.IntRange(1, 366))
@administers
def extend(admin: Administration, board: int, days: int) -> str:
    """Add DAYS to the time for this move, and notify the players."""
    return f"board {board}: {_ends(admin.extend(board, days))}"


@game.command()
@board_argument
@administers
def pause(admin: Administration, board: int) -> str:
    """Stop the clock of a match until pbm game resume, and notify the players."""
    admin.pause(board)
    return f"board {board}: the clock is stopped"


@game.command()
@board_argument
@administers
def resume(admin: Administration, board: int) -> str:
    """Start the clock of a match again, and notify the players."""
    return f"board {board}: {_ends(admin.resume(board))}"


def _ends(board: Board) -> str:
    """Return the deadlines of the players to move, in UTC for the operator."""
    from pbm.domain.timekeeping import players_to_move, time_ends_at

    ends = (time_ends_at(board.match, player) for player in players_to_move(board))
    return ", ".join(
        f"time until {end:%Y-%m-%d %H:%M} UTC" if end else "the clock is stopped" for end in ends
    )
