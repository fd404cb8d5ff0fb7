"""Go with area scoring: the side with the larger area wins.

A move is the name of the point where a stone is laid, `G7`, or `pass`. Once both have passed, play
has stopped, and a move is `count`, or `dead G7`, which takes an own chain off the board, or a
stone, with which play goes on. Columns are letters without I, rows count from below.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    IllegalMoveError,
    MarkKind,
    Option,
    Playout,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    listing,
)

from .position import (
    DEAD,
    OVER,
    STOPPED,
    State,
    areas,
    begun,
    chain_at,
    give_up,
    grid_of,
    is_suicide,
    komi,
    lay,
    legal_points,
    repeats,
)
from .random_game import played_out

PASS, COUNT = "pass", "count"
_PASSES = re.compile("i?pass(?:e|es|ing)?")


class Go(BaseGame[State, str]):
    """The rules, for all sizes of board."""

    info = GameInfo(
        key="go",
        title="Go",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Surround points and take what has no liberty; the larger area wins.",
        reasons={
            "area": "the larger area",
            "tie": "equal points, which White wins",
        },
        example="C4",
        options=(
            Option("size", "13", ("9", "13", "19"), "rows and columns of the board"),
            Option(
                "handicap",
                "0",
                ("0", *"23456789"),
                "stones that Black begins with; White then begins, and gets a point for each",
            ),
        ),
        credits="from China, more than 2500 years old",
        first={"size": "9"},
        family="territory",
    )

    def start(self, setup: Setup) -> State:
        return begun(int(setup["size"]), int(setup["handicap"]))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.passes == OVER else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat not in self.to_move(state):
            return
        yield from state.grid.named(legal_points(state))
        yield word_due(state)
        if state.passes >= STOPPED:
            for chain in state.grid.chains(state.stones[seat]):
                yield f"{DEAD} {state.grid.named(chain)[0]}"

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        word = PASS if _PASSES.fullmatch(typed) else typed
        if word in (PASS, COUNT):
            return self._word(state, word)
        named = _reader(state.size).named(text, typed)
        (name,) = named.points
        if named.word == DEAD:
            return self._dead(state, name)
        self._check(state, seat, name)
        return name

    def _word(self, state: State, word: str) -> str:
        """Return pass or count if it is the word of this position."""
        if word == word_due(state):
            return word
        raise IllegalMoveError(
            "The board is counted once both have passed."
            if word == COUNT
            else f"Both have passed; type {COUNT} to agree with the board, or play on."
        )

    def _dead(self, state: State, name: str) -> str:
        """Return the move that gives up the own chain at `name`."""
        if state.passes < STOPPED:
            raise IllegalMoveError("Dead stones are given up once both have passed.")
        chain = chain_at(state, name)
        if not chain:
            raise IllegalMoveError(
                f"You have no stone on {name}. You can only give up stones of yours; play on, and "
                "take those that you think are dead."
            )
        return f"{DEAD} {state.grid.named(chain)[0]}"

    def _check(self, state: State, seat: Seat, name: str) -> None:
        """Raise IllegalMoveError unless a stone may be laid on `name`."""
        at = state.grid.at[name]
        for owner, stones in enumerate(state.stones):
            if stones & at:
                whose = "you have" if owner == seat else f"{self.info.seats[owner]} has"
                raise IllegalMoveError(f"{name} is already occupied: {whose} a stone there.")
        if is_suicide(state, at):
            chain = state.grid.named(state.grid.chain(at, state.stones[seat] | at))
            what = f"the stones {listing(chain, last='and')}" if len(chain) > 1 else "the stone"
            raise IllegalMoveError(
                f"{name} would be suicide: {what} would have no liberty, and nothing is taken."
            )
        if repeats(state, at):
            raise IllegalMoveError(
                f"{name} would bring back an earlier position of the board, which ko forbids; "
                "play elsewhere first."
            )

    def play(self, state: State, seat: Seat, move: str) -> State:
        if move in (PASS, COUNT):
            passes = state.passes + 1
            if passes == STOPPED and state.resumed:
                passes = OVER
            return replace(state, mover=1 - seat, last=move, taken=0, passes=passes)
        word, _, name = move.rpartition(" ")
        return give_up(state, name) if word else lay(state, name)

    def result(self, state: State) -> Result | None:
        if state.passes < OVER:
            return None
        black, white = scores = areas(state)
        return Result((int(white >= black),), "tie" if white == black else "area", scores)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        last = state.grid.at.get(state.last, 0)
        marks = (state.taken, MarkKind.CAPTURED), (last, MarkKind.LAST)
        signs = self.info.signs
        return state.grid.diagram(state.stones, signs, marks, self._told(state), on_lines=True)

    def _told(self, state: State) -> tuple[str, ...]:
        """Return what is to be known besides the stones once somebody has passed."""
        mover, other = (self.info.seats[seat] for seat in (state.mover, 1 - state.mover))
        if not state.passes:
            return ()
        if state.passes < STOPPED:
            end = "the game is over" if state.resumed else "play stops"
            return (f"{other} has passed. If {mover} passes too, {end}.",)
        black, white = areas(state)
        counted = f"Points: Black (x) {black}, White (o) {white}, with a komi of {komi(state)}."
        if state.passes == OVER:
            return (counted,)
        return (
            counted,
            f"Both have passed. {mover} can type count to agree with this, or",
            "dead C4 to take an own dead chain off, or lay a stone to play on.",
        )

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        moves, winner = played_out(state, chance, longest)
        return Playout.by_turns(moves, state.mover, Playout.worth_of(winner))


def word_due(state: State) -> str:
    """Return the word for a turn without a stone: count once play has stopped."""
    return COUNT if state.passes >= STOPPED else PASS


@cache
def _reader(size: int) -> PointReader:
    unread = "is not the name of a point; a move is a letter and a number, like C4, or pass"
    return PointReader(grid_of(size).at, unread, words=(DEAD,), most=1)


game = Go()
