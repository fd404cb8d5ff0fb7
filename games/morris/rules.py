"""The rules of Nine Men's Morris.

Notation: columns a-g, rows 1-7 with row 1 on top. `d1` places a stone, `d1-d2` moves one,
and a turn that closes a mill names the stone it takes: `d1xg7`, `d1-d2xg7`. A move is a
str in this notation. Source: the rule text; help.md, "On this server", fills its gaps.
"""

from collections.abc import Iterator
from dataclasses import replace

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    Option,
    Playout,
    Result,
    Seat,
    Setup,
    Viewer,
)

from . import reading
from .picture import picture
from .random_game import played_out
from .state import State, key, split, steps, turns

QUIET_LIMIT = 100
"""Plies in a row without a stone placed or taken that make a draw."""

REPEATS = 3
"""A position that comes up so often, with the same side to move, is a draw."""


class Morris(BaseGame[State, str]):
    """Nine Men's Morris for two."""

    info = GameInfo(
        key="morris",
        title="Nine Men's Morris",
        seats=("White", "Black"),
        signs=("o", "x"),
        summary="Place, then move your stones; three in a row take one of the other side's.",
        reasons={
            "two_left": "the opponent has only two stones left",
            "no_move": "the opponent cannot move",
            "repetition": "the same position came up for the third time",
            "quiet": f"{QUIET_LIMIT} turns passed without a stone placed or taken",
        },
        example="d2",
        aliases=("nmm", "mill"),
        options=(
            Option(
                "take",
                "strict",
                ("strict", "any"),
                "what a mill takes when all the opponent's stones are in mills: none, or any",
            ),
        ),
        family="capture",
        credits="Traditional; boards are known from Roman times.",
    )

    def start(self, setup: Setup) -> State:
        return State(take_any=setup["take"] == "any")

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        return turns(state, seat)

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on at random, or an estimate where it is left."""
        turns, worth = played_out(state, chance, longest)
        return Playout.by_turns(turns, state.mover, worth)

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        return reading.read(state, seat, self.info.seats, text, typed)

    def play(self, state: State, seat: Seat, move: str) -> State:
        origin, to, taken = split(move)
        own = state.stones[seat] & ~origin | to
        other = state.stones[1 - seat] & ~taken
        white, black = (own, other) if seat == 0 else (other, own)
        hand = state.hand
        if not origin:
            hand = (hand[0] - 1, hand[1]) if seat == 0 else (hand[0], hand[1] - 1)
        position = key(white, black, 1 - seat)
        after = State(
            stones=(white, black),
            hand=hand,
            mover=1 - seat,
            take_any=state.take_any,
            since=(*state.since, position) if origin and not taken else (position,),
            last=move,
        )
        reason = _reason(after)
        return replace(after, reason=reason) if reason else after

    def result(self, state: State) -> Result | None:
        if not state.reason:
            return None
        lost = state.reason in ("two_left", "no_move")
        return Result((1 - state.mover,) if lost else (), state.reason)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
        return picture(state, self.info)


def _reason(state: State) -> str:
    """Return why the game is over for the side to move, or ""; a loss comes before a draw.

    Losses: rule text, "Winning". That they need all stones placed, and the draws, are rules of
    this server.
    """
    seat = state.mover
    if not state.hand[seat]:
        if state.stones[seat].bit_count() < 3:
            return "two_left"
        if not any(True for _ in steps(state, seat)):
            return "no_move"
    if state.since.count(state.since[-1]) >= REPEATS:
        return "repetition"
    return "quiet" if len(state.since) > QUIET_LIMIT else ""


game = Morris()
