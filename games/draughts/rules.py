"""English draughts, or checkers: jump over all pieces of the other side, or shut them in.

A move names the cells that a piece stands on, from first to last: `c3-d4`, or `c3xe5xg7` for two
jumps. Columns are a to h from the left, rows 1 to 8 from below. Source of the rules: those of the
World Checkers Draughts Federation, which numbers the cells instead.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbm.engine import (
    BaseGame,
    Chance,
    Diagram,
    GameInfo,
    IllegalMoveError,
    IncompleteMoveError,
    MarkKind,
    Piece,
    Playout,
    PointReader,
    Result,
    Seat,
    Setup,
    Viewer,
    frozen,
    listing,
)

from .position import GRID, NAMES, Position, Turn, backward, first_position

REPEATS = 3
"""A position that comes up so often, with the same side to move, is a draw."""

QUIET_LIMIT = 80
"""Turns in a row in which no man moves and no piece is taken that make a draw."""

READER = PointReader(
    NAMES.values(),
    "cannot be read as a move; one looks like c3-d4, or c3xe5 for a jump",
    signs=dict.fromkeys(("x", ":", "\xd7"), "x"),
    noun="dark cell",
    most=13,
)

_NAME = re.compile("[a-h][1-8]")


@frozen
class State:
    """A position with all that the rules need.

    `since` has the keys of the positions, this one included, since a man moved or a piece was
    taken: no earlier one can come back. `last` is the turn that led here, "" at the start. `reason`
    says why the game is over, "" while it goes on.
    """

    position: Position
    since: tuple[int, ...]
    last: str = ""
    reason: str = ""


class Draughts(BaseGame[State, str]):
    """The rules."""

    info = GameInfo(
        key="draughts",
        title="English Draughts",
        seats=("Black", "White"),
        signs=("x", "o"),
        summary="Jump over pieces to take them; a side that cannot move has lost.",
        reasons={
            "taken": "all pieces of the opponent are taken",
            "shut_in": "the opponent cannot move",
            "repetition": "the same position came up for the third time",
            "quiet": f"in {QUIET_LIMIT} turns no man moved and no piece was taken",
        },
        example="c3-d4",
        aliases=("checkers",),
        family="capture",
        credits="Traditional; played in England since the 16th century or before",
    )

    def start(self, setup: Setup) -> State:
        del setup  # there are no options
        return State(first_position(), (first_position().key,))

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return () if state.reason else (state.position.mover,)

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        is_due = not state.reason and seat == state.position.mover
        return map(str, state.position.turns() if is_due else ())

    def read(self, state: State, seat: Seat, text: str, typed: str) -> str:
        points = READER.named(text, typed).points
        turns = tuple(self.legal_moves(state, seat))
        READER.ask(points, turns)
        paths = {tuple(_NAME.findall(turn)): turn for turn in turns}
        if points in paths:
            return paths[points]
        # A jump may be named by its beginning, or by its first and last cell.
        meant = [
            turn
            for path, turn in paths.items()
            if points in (path[: len(points)], (path[0], path[-1]))
        ]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise IncompleteMoveError(
                "A jump goes on as long as it can; name each cell on its way.", meant
            )
        raise self._refusal(state.position, points, [turn for turn in turns if "x" in turn])

    def _refusal(
        self, position: Position, points: tuple[str, ...], jumps: list[str]
    ) -> IllegalMoveError:
        """Return the error for a turn that is not legal where these `jumps` are."""
        cells = [GRID.at[name] for name in points]
        own, other = position.pieces[position.mover], position.pieces[1 - position.mover]
        start, to = points[0], points[-1]
        if not cells[0] & own:
            side = self.info.seats[1 - position.mover]
            there = f"{side} has one" if cells[0] & other else "it is empty"
            return IllegalMoveError(f"You have no piece on {start}; {there}.")
        if jumps:
            return IllegalMoveError(
                f"Where a piece can jump, one must, and as far as it can: {listing(jumps)}."
            )
        if len(points) == 1:
            return IllegalMoveError(f"Your piece on {start} cannot move.")
        if cells[-1] & (own | other):
            return IllegalMoveError(f"There is a piece on {to} already.")
        if not cells[0] & position.kings and cells[-1] in backward(position.mover, cells[0]):
            return IllegalMoveError(f"{start} is a man; only kings go back.")
        return IllegalMoveError(
            f"{to} is not the next cell on a diagonal from {start}, and there is no piece to jump."
        )

    def play(self, state: State, seat: Seat, move: str) -> State:
        del seat  # the position knows
        turn = Turn.read(move)
        after = state.position.after(turn)
        since = (*(() if state.position.settles(turn) else state.since), after.key)
        return State(after, since, move, _reason(after, since))

    def result(self, state: State) -> Result | None:
        if not state.reason:
            return None
        lost = state.reason in ("taken", "shut_in")
        return Result((1 - state.position.mover,) if lost else (), state.reason)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        del viewer  # all see the same
        position, marks = state.position, []
        if state.last:
            turn = Turn.read(state.last)
            marks += [(sum({*turn.path}), MarkKind.LAST), (turn.taken, MarkKind.CAPTURED)]
        if state.reason == "shut_in":
            marks.append((position.pieces[position.mover], MarkKind.WINNING))
        if state.reason == "taken":
            marks.append((position.pieces[1 - position.mover], MarkKind.WINNING))
        told = ("A king is a capital letter or a stack.",) if position.kings else ()
        pieces = tuple(
            Piece(name, sign.upper(), seat, 2) if at & position.kings else Piece(name, sign, seat)
            for seat, sign in enumerate(self.info.signs)
            for at, name in NAMES.items()
            if at & position.pieces[seat]
        )
        return replace(GRID.diagram((), (), marks, told, on_lines=True), pieces=pieces)

    def random_game(self, state: State, chance: Chance, longest: int) -> Playout:
        """Return how the game goes on if every legal turn is as likely."""
        turns, winner = played_out(state, chance, longest)
        return Playout.by_turns(turns, state.position.mover, Playout.worth_of(winner))


def played_out(state: State, chance: Chance, longest: int) -> tuple[list[str], Seat | None]:
    """Return the turns of a random game and who won; every legal turn is as likely."""
    position, since, played = state.position, [*state.since], list[str]()
    while turns := position.turns():
        if len(played) == longest or _is_draw(since):
            return played, None
        turn = turns[int(chance.random() * len(turns))]
        played.append(str(turn))
        if position.settles(turn):
            since.clear()
        position = position.after(turn)
        since.append(position.key)
    return played, 1 - position.mover


def _reason(position: Position, since: tuple[int, ...]) -> str:
    """Return why the game is over for the side to move, or ""; a loss comes before a draw."""
    if not position.pieces[position.mover]:
        return "taken"
    if not position.turns():
        return "shut_in"
    if not _is_draw(since):
        return ""
    return "quiet" if len(since) > QUIET_LIMIT else "repetition"


def _is_draw(since: Sequence[int]) -> bool:
    return since[::-2].count(since[-1]) >= REPEATS or len(since) > QUIET_LIMIT


game = Draughts()
