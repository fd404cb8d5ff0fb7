"""Analyses: how a finished match went, for whoever asks."""

from collections.abc import Iterator
from itertools import islice

from pbm.domain.logs import EntryKind
from pbm.domain.play import LiveMatch
from pbm.domain.player import PlayerId
from pbm.domain.robots import Thought
from pbm.engine import Seat
from pbm.robots.analysis import Analysis, AnalysisTask
from pbm.service.context import Context, board_token, everybody
from pbm.service.notices import Notice
from pbm.service.notices.learning import Analysed, LookedAt, Slip
from pbm.service.notices.talk import Noted
from pbm.service.steps.learning import check_analysis
from pbm.service.thinking.base import Kind
from pbm.service.thinking.courses import board_if, chance_for, course_of


def _prepare(context: Context, thought: Thought) -> AnalysisTask | None:
    board = board_if(context, thought.number, check_analysis)
    return AnalysisTask(course_of(board), chance_for(thought, board)) if board else None


def _carry_out(context: Context, thought: Thought, found: Analysis) -> Iterator[Notice]:
    board = board_if(context, thought.number, check_analysis)  # the operator can take an end back
    if board is None:
        return
    if not found.swings:
        number, player = thought.number, context.people([thought.player])[thought.player]
        yield Noted(player, f"I had no time to look at board {number}. Ask again: analyse {number}")
        return
    seats = board.match.seats_of(thought.player)
    seat = seats[0] if seats else 0
    people = context.people({*everybody(board), thought.player})
    movers = _movers(board)
    yield Analysed(
        people[thought.player],
        board,
        people,
        seat,
        found.standings[0].worths[seat],
        tuple(_turns(found, movers, seat)),
        tuple(
            Slip(m.ply, movers[m.ply - 1], m.text, m.better, m.worth, m.missed)
            for m in found.mistakes
        ),
        found.playouts,
        reply=board_token(board, thought.player),
    )


def _turns(found: Analysis, movers: tuple[PlayerId, ...], seat: Seat) -> Iterator[LookedAt]:
    standings = islice(found.standings, 1, None)
    for swing, after in zip(found.swings, standings, strict=True):
        mover = movers[swing.ply - 1]
        yield LookedAt(swing.ply, swing.seat, mover, swing.text, after.worths[seat])


def _movers(board: LiveMatch) -> tuple[PlayerId, ...]:
    """Return who played each turn: with the pie rule the seats have had other players before."""
    match = board.match
    swap = next((n for n, each in enumerate(match.plies) if each.kind is EntryKind.SWAP), None)
    last = match.log.ply if swap is None else swap
    return tuple(
        (match.starters if number <= last else match.players)[entry.seat or 0]
        for number, entry in enumerate(match.plies)
    )


ANALYSIS = Kind(_prepare, _carry_out)
"""How a match is looked back at."""
