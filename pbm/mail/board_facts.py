"""A live match as the facts of a board mail, for one reader."""

import math
from datetime import datetime

from pbm.domain.match import Ending, Match
from pbm.domain.player import Player
from pbm.domain.playing import LiveMatch, example_move
from pbm.engine import AnyGame, Setup, Viewer, draw
from pbm.mail.contexts import BoardFacts, Remark
from pbm.service.notices import People

COLUMN = 16
"""The least width of a seat's column in the list of moves."""


def board_facts(
    table: LiveMatch,
    people: People,
    reader: Player,
    now: datetime,
    remarks: tuple[Remark, ...] = (),
) -> BoardFacts:
    """Return what a mail to `reader` tells of the board as it stands at `now`."""
    match, game = table.match, table.game
    seats = match.seats_of(reader.id)
    to_move = table.to_move
    mine = [seat for seat in seats if seat in to_move]
    mover = mine[0] if mine else to_move[0] if to_move else None
    sides = game.sides(table.position.state)
    return BoardFacts(
        number=match.number,
        key=match.game,
        about=about(match, game),
        reader=reader.userid if seats else "",
        your_turn=bool(mine),
        turn_of=userid(people, match.players[mover]) if mover is not None else "",
        side=sides[mover] if mover is not None else "",
        sign=game.info.signs[mover] if mover is not None else "",
        due=table.due,
        example=example_move(table) if mine else "",
        may_swap=table.may_swap,
        deadline=deadline(match, now) if to_move else "",
        picture=draw(game.diagram(table.position.state, Viewer(seats[0] if seats else None))),
        moves=move_list(table, people),
        remarks=remarks,
    )


def userid(people: People, player: int) -> str:
    """Return the name of a player who may have left."""
    return people[player].userid if player in people else "nobody"


def about(match: Match, game: AnyGame) -> str:
    """Return one line on what is played: "Gonnect, size 13, rated, board 104"."""
    rated = "rated" if match.terms.rated else "unrated"
    return ", ".join([game.info.title, *options(match.setup, game), rated, f"board {match.number}"])


def options(setup: Setup, game: AnyGame) -> list[str]:
    """Return "size 13" and the like, in the order in which the game tells of its options."""
    return [f"{option.name} {setup[option.name]}" for option in game.info.options]


def deadline(match: Match, now: datetime) -> str:
    """Return when the player to move forfeits: date with year, time, zone and days left."""
    due = match.deadline()
    days = max(0, math.ceil((due - now).total_seconds() / 86400))
    unit = "day" if days == 1 else "days"
    return f"{due:%a} {due.day} {due:%b %Y %H:%M} UTC: {days} {unit}"


def move_list(table: LiveMatch, people: People) -> str:
    """Return the moves in one column a seat, each row numbered by its first ply."""
    match = table.match
    rows = _rows(match)
    if not rows:
        return ""
    seats = range(len(match.players))
    sides = table.game.sides(table.position.state)
    signs = table.game.info.signs
    heads = [f"{side} ({sign})" for side, sign in zip(sides, signs, strict=True)]
    names = [userid(people, player) for player in match.players]
    lines = [("", heads), ("", names)]
    lines += [(str(number), [moves.get(seat, "-") for seat in seats]) for number, moves in rows]
    widths = [max(COLUMN, *(len(cells[seat]) + 2 for _, cells in lines)) for seat in seats]
    return "\n".join(_row(number, cells, widths) for number, cells in lines)


def _row(number: str, cells: list[str], widths: list[int]) -> str:
    padded = "".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
    return f"{number:>4}  {padded}".rstrip()


def _rows(match: Match) -> list[tuple[int, dict[int, str]]]:
    """Return (first ply, move by seat) for each row; a seat that moves again begins a new one."""
    rows: list[tuple[int, dict[int, str]]] = []
    for ply, entry in enumerate(match.plies, 1):
        seat = entry.seat or 0
        if not rows or any(taken >= seat for taken in rows[-1][1]):
            rows.append((ply, {}))
        rows[-1][1][seat] = entry.text
    return rows


def outcome_line(table: LiveMatch, people: People) -> str:
    """Return how a match ended, in one line; "" while it goes on."""
    match = table.match
    if match.outcome is None:
        return ""
    outcome = match.outcome
    if not outcome.counts:
        word = "declined" if outcome.ending is Ending.DECLINED else "closed by the operator"
        return f"The match was {word}; it does not count."
    reason = table.game.info.reasons.get(outcome.reason, str(outcome.ending))
    winners = " and ".join(userid(people, match.players[seat]) for seat in outcome.winners)
    return f"{winners} won: {reason}." if winners else f"The match is a draw: {reason}."
