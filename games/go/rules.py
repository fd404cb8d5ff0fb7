"""Go with area scoring: the side with the larger area wins.

A move is the name of the point where a stone is laid, `G7`, or `pass`. Once both have passed, play
has stopped, and a move is `count`, or `dead G7`, which takes the own chain there off the board, or
a stone, with which play goes on. Columns are letters without I, rows count from below.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import accumulate
from operator import or_, xor

from pbm.engine import (
    BaseGame,
    CapturingPlay,
    Cells,
    Chance,
    Diagram,
    GameInfo,
    Grid,
    IllegalMoveError,
    MarkKind,
    Option,
    Playout,
    Result,
    Seat,
    Setup,
    Viewer,
    bits,
    frozen,
    listing,
    reader,
    square,
)

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""The letters of the columns; there is no I, because it looks like a 1."""

KOMI = 7
"""The points that White gets for playing second in a game without handicap."""

PASS, COUNT, DEAD = "pass", "count", "dead"
_PASSES = re.compile("i?pass(?:e|es|ing)?")

_PASSED = ""
"""A pass in the moves of a random game; it says nothing about how good a pass is now."""

STOPPED, OVER = 2, 4
"""So many turns without a stone in a row stop play, and end the game."""

_HANDICAP = {
    "9": ("G7", "C3", "G3", "C7", "C5", "G5", "E3", "E7", "E5"),
    "13": ("K10", "D4", "K4", "D10", "D7", "K7", "G4", "G10", "G7"),
    "19": ("Q16", "D4", "Q4", "D16", "D10", "Q10", "K4", "K16", "K10"),
}
"""The points of handicap stones; of five and of seven the last one is in the centre."""

Change = tuple[int, ...]
"""The points where a turn laid or took stones, as numbers of bits, those of White above Black's."""


@frozen
class State:
    """A position and its history.

    `changes` are those from the empty board to the first position, and then of each turn that
    changed the board. `last` is the last turn, and `taken` what it took off the board. `passes`
    counts the turns without a stone since the last one, and play was `resumed` if it had stopped
    before.
    """

    size: int
    stones: tuple[Cells, Cells]
    changes: tuple[Change, ...]
    mover: Seat
    last: str = ""
    taken: Cells = 0
    passes: int = 0
    resumed: bool = False

    @property
    def grid(self) -> Grid:
        """The board of this size."""
        return _grid(self.size)

    @property
    def empty(self) -> Cells:
        """The points without a stone."""
        return self.grid.full & ~(self.stones[0] | self.stones[1])

    @property
    def komi(self) -> int:
        """The points that White gets: one for each handicap stone, or else for playing second."""
        return len(self.changes[0]) or KOMI

    @property
    def word(self) -> str:
        """The word for a turn without a stone: count once play has stopped."""
        return COUNT if self.passes >= STOPPED else PASS


@cache
def _grid(size: int) -> Grid:
    return square(size, COLUMNS, from_below=True)


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
        handicap, points = int(setup["handicap"]), _HANDICAP[setup["size"]]
        state = State(int(setup["size"]), (0, 0), (), 0)
        names = (*points[: handicap - 1], points[-1]) if handicap in (5, 7) else points[:handicap]
        black = sum(map(state.grid.at.__getitem__, names))
        return replace(changed(state, black, 0), mover=int(handicap > 0))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.passes == OVER else (state.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat not in self.to_move(state):
            return
        open_points = state.grid.near(state.empty)
        # No board can come back before something was taken.
        may_repeat = sum(map(len, state.changes)) > (state.stones[0] | state.stones[1]).bit_count()
        for name in state.grid.named(state.empty):
            at = state.grid.at[name]
            breathes = at & open_points or not suicide(state, at)
            if breathes and not (may_repeat and repeats(state, at)):
                yield name
        yield state.word
        if state.word == COUNT:
            for chain in state.grid.chains(state.stones[seat]):
                yield f"{DEAD} {state.grid.named(chain)[0]}"

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:  # noqa: ARG002 - the state knows
        word = PASS if _PASSES.fullmatch(typed) else typed
        if word == state.word:
            return word
        if word == PASS:
            raise IllegalMoveError(f"Both have passed; {COUNT} agrees with the board, or play on.")
        if word == COUNT:
            raise IllegalMoveError("The board is counted once both have passed.")
        named = reader(state.grid, "point", (DEAD,)).named(text, typed)
        (name,) = named.points
        if named.word:
            return self._dead(state, name)
        if refusal := self._refusal(state, name):
            raise IllegalMoveError(refusal)
        return name

    def _dead(self, state: State, name: str) -> str:
        """Return the turn that gives up the own chain at `name`."""
        if state.word == PASS:
            raise IllegalMoveError("Dead stones are given up once both have passed.")
        chain = state.grid.named(chain_at(state, name))
        if not chain:
            raise IllegalMoveError(
                f"You have no stone on {name}. You can only give up stones of yours; play on, and "
                "take those that you think are dead."
            )
        return f"{DEAD} {chain[0]}"

    def _refusal(self, state: State, name: str) -> str:
        """Return why no stone may be laid on `name`, or ""."""
        grid, at = state.grid, state.grid.at[name]
        if not at & state.empty:
            own = at & state.stones[state.mover]
            whose = "you have" if own else f"{self.info.seats[1 - state.mover]} has"
            return f"{name} is already occupied: {whose} a stone there."
        if names := grid.named(suicide(state, at)):
            what = f"the stones {listing(names, last='and')}" if len(names) > 1 else "the stone"
            return f"{name} would be suicide: {what} would have no liberty, and nothing is taken."
        if not repeats(state, at):
            return ""
        return (
            f"{name} would bring back an earlier position of the board, which ko forbids; "
            "play elsewhere first."
        )

    def play(self, state: State, seat: Seat, move: str) -> State:
        if move == state.word:
            passes = OVER if state.resumed and state.passes else state.passes + 1
            return replace(state, mover=1 - seat, last=move, taken=0, passes=passes)
        word, _, name = move.rpartition(" ")
        if word:
            chain = chain_at(state, name)
            return replace(changed(state, chain, 0), last=move, taken=chain)
        at = state.grid.at[name]
        taken, resumed = captured(state, at), state.resumed or state.word == COUNT
        after = changed(state, at, taken)
        return replace(after, mover=1 - seat, last=move, taken=taken, passes=0, resumed=resumed)

    def result(self, state: State) -> Result | None:
        if state.passes < OVER:
            return None
        black, white = scores = areas(state)
        return Result((int(white >= black),), "tie" if white == black else "area", scores)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        marks = (state.taken, MarkKind.CAPTURED), (state.grid.at.get(state.last, 0), MarkKind.LAST)
        signs = self.info.signs
        return state.grid.diagram(state.stones, signs, marks, self._told(state), on_lines=True)

    def _told(self, state: State) -> tuple[str, ...]:
        """Return what is to be known besides the stones once somebody has passed."""
        if state.passes in (0, OVER):
            return ()
        mover, other = self.info.seats[state.mover], self.info.seats[1 - state.mover]
        if state.word == PASS:
            end = "the game is over" if state.resumed else "play stops"
            return (f"{other} has passed. If {mover} passes too, {end}.",)
        black, white = areas(state)
        return (
            f"Points: Black (x) {black}, White (o) {white}, with a komi of {state.komi}.",
            f"Both have passed. {mover} can type count to agree with this, or",
            "dead C4 to take an own dead chain off, or lay a stone to play on.",
        )

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on at random until both have only own eyes left, and pass."""
        play = CapturingPlay(state.grid, *_by_seat(state.mover, *state.stones))
        names, moves = state.grid.names, list[str]()
        while moves[-2:] != [_PASSED, _PASSED]:
            if len(moves) == longest:
                return Playout.by_turns(moves, state.mover, Playout.worth_of(None))
            at = play.draw(chance.random)
            if at < 0:
                play.own, play.other, play.ko = play.other, play.own, 0
                moves.append(_PASSED)
            else:
                play.lay(at)
                moves.append(names[-1 - at])
        stones = _by_seat((state.mover + len(moves)) % 2, play.own, play.other)
        black, white = areas(replace(state, stones=stones))
        return Playout.by_turns(moves, state.mover, Playout.worth_of(int(white >= black)))


def chain_at(state: State, name: str) -> Cells:
    """Return the chain of the side to move at the point `name`; none if it has no stone there."""
    return state.grid.chain(state.grid.at[name], state.stones[state.mover])


def captured(state: State, at: Cells) -> Cells:
    """Return the stones that the side to move takes by a stone on the empty point `at`."""
    return state.grid.choked(state.stones[1 - state.mover], state.empty ^ at)


def suicide(state: State, at: Cells) -> Cells:
    """Return the chain without a liberty that a stone on the empty point `at` makes, if any."""
    empty = state.empty ^ at | captured(state, at)
    return state.grid.choked(state.stones[state.mover] | at, empty)


def repeats(state: State, at: Cells) -> bool:
    """Return whether a stone on the empty point `at` would bring back an earlier board."""
    change = _number(state.grid, *_by_seat(state.mover, at, captured(state, at)))
    return change ^ _number(state.grid, *state.stones) in _boards(state.changes)


def changed(state: State, own: Cells, other: Cells) -> State:
    """Return the position once stones of both are laid or taken on these points."""
    black, white = _by_seat(state.mover, own, other)
    stones = state.stones[0] ^ black, state.stones[1] ^ white
    change = tuple(bits(_number(state.grid, black, white)))
    return replace(state, stones=stones, changes=(*state.changes, change))


def areas(state: State) -> tuple[int, int]:
    """Return the points of each side: its stones, the empty regions it surrounds, and komi."""
    black, white = map(or_, state.stones, state.grid.territory(state.stones))
    return black.bit_count(), white.bit_count() + state.komi


def _by_seat(seat: Seat, own: Cells, other: Cells) -> tuple[Cells, Cells]:
    """Return what belongs to `seat` and to the other seat, Black's first; or the other way."""
    return (other, own) if seat else (own, other)


def _number(grid: Grid, black: Cells, white: Cells) -> int:
    """Return the points of both sides as one number."""
    return black | white << len(grid.names)


@lru_cache(4)
def _boards(changes: tuple[Change, ...]) -> frozenset[int]:
    """Return all boards that there have been, this one included, each as one number."""
    return frozenset(accumulate((sum(1 << bit for bit in change) for change in changes), xor))


game = Go()
