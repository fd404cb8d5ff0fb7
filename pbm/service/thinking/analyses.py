"""Analyses: how a finished match went, for whoever asks."""

from collections.abc import Iterator, Mapping
from itertools import islice

from pbm.domain.errors import Refusal
from pbm.domain.logs import EntryKind
from pbm.domain.play import LiveMatch
from pbm.domain.player import PlayerId
from pbm.domain.robots import Thought, ThoughtKind
from pbm.engine import Seat
from pbm.robots.analysis import Analysis, AnalysisTask
from pbm.service.context import Context, board_token, everybody
from pbm.service.letters import Message, noted
from pbm.service.notices.learning import Analysed, LookedAt, Mistake
from pbm.service.steps.learning import check_analysis
from pbm.service.thinking.base import Kind, chance_of


def prepare(context: Context, thought: Thought) -> AnalysisTask | None:
    """Return the match to look at; None if it is not over any more."""
    board = context.boards.get(thought.number)
    try:
        check_analysis(board)
    except Refusal:
        return None
    match, chance = board.match, chance_of(thought.number, board.position.ply)
    return AnalysisTask(match.game, match.rules_version, match.setup, tuple(match.turns), chance)


def carry_out(context: Context, thought: Thought, found: Analysis) -> Iterator[Message]:
    """Tell whoever asked, if the match is still over: the operator can take an end back."""
    board, player = context.boards.get(thought.number), context.sender()
    check_analysis(board)
    if not found.swings:
        number = thought.number
        yield noted(player, f"I had no time to look at board {number}. Ask again: analyse {number}")
        return
    seats = board.match.seats_of(thought.player)
    seat = seats[0] if seats else 0
    people = context.people(everybody(board))
    movers = _movers(board)
    yield Analysed(
        player,
        board,
        people,
        seat,
        found.prospects[0].worths[seat],
        tuple(_turns(found, movers, seat)),
        tuple(
            Mistake(m.ply, movers[m.ply - 1], m.text, m.better, m.worth, m.missed)
            for m in found.mistakes
        ),
        found.playouts,
        reply=board_token(board, thought.player),
    )


def _turns(found: Analysis, movers: tuple[PlayerId, ...], seat: Seat) -> Iterator[LookedAt]:
    prospects = islice(found.prospects, 1, None)
    for swing, after in zip(found.swings, prospects, strict=True):
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


KINDS: Mapping[ThoughtKind, Kind] = {ThoughtKind.ANALYSIS: Kind(prepare, carry_out)}
