"""English draughts, or checkers: jump over all pieces of the other side, or shut them in.

A move names the cells that a piece stands on, from first to last: `c3-d4`, or `c3xe5xg7` for two
jumps. Columns are a to h from the left, rows 1 to 8 from below. Source of the rules: those of the
World Checkers Draughts Federation, which numbers the cells instead.
"""

import re
from collections.abc import Iterator
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

    def start(self, setup: Setup) -> State:  # noqa: ARG002 - there are no options
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
        paths = {tuple(re.split("[-x]", turn)): turn for turn in turns}
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
            raise IncompleteMoveError("A jump goes as far as it can; name each cell.", meant)
        raise self._refusal(state.position, points, [turn for turn in turns if "x" in turn])

    def _refusal(
        self, position: Position, points: tuple[str, ...], jumps: list[str]
    ) -> IllegalMoveError:
        """Return the error for a turn that is not legal where these `jumps` are."""
        cells = [GRID.at[name] for name in points]
        own, other = position.pieces[position.mover], position.pieces[1 - position.mover]
        if not cells[0] & own:
            return IllegalMoveError(f"You have no piece on {points[0]}.")
        if jumps:
            return IllegalMoveError(
                f"Where a piece can jump, one must, and as far as it can: {listing(jumps)}."
            )
        if cells[-1] & (own | other) & ~cells[0]:
            return IllegalMoveError(f"There is a piece on {points[-1]} already.")
        if not cells[0] & position.kings and cells[-1] in backward(position.mover, cells[0]):
            return IllegalMoveError(f"{points[0]} is a man; only kings go back.")
        return IllegalMoveError(
            f"{points[0]} can only go to a free next cell on a diagonal, or jump over a piece."
        )

    def play(self, state: State, seat: Seat, move: str) -> State:  # noqa: ARG002 - the position knows
        turn = Turn.read(move)
        after = state.position.after(turn)
        since = (*(() if state.position.settles(turn) else state.since), after.key)
        return State(after, since, move, _reason(after, since))

    def result(self, state: State) -> Result | None:
        lost = state.reason in ("taken", "shut_in")
        winners = (1 - state.position.mover,) if lost else ()
        return Result(winners, state.reason) if state.reason else None

    def diagram(self, state: State, viewer: Viewer) -> Diagram:  # noqa: ARG002 - all see the same
        position, turn = state.position, Turn.read(state.last) if state.last else Turn(())
        marks = [(sum({*turn.path}), MarkKind.LAST), (turn.taken, MarkKind.CAPTURED)]
        if result := self.result(state):
            deciding = position.mover if result.reason == "shut_in" else 1 - position.mover
            marks += [(position.pieces[deciding], MarkKind.WINNING)] if result.winners else []
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
    played = list[str]()
    while not state.reason and len(played) < longest:
        turns = state.position.turns()
        played.append(str(turns[int(chance.random() * len(turns))]))
        state = game.play(state, state.position.mover, played[-1])
    result = game.result(state)
    return played, result.winners[0] if result and result.winners else None


def _reason(position: Position, since: tuple[int, ...]) -> str:
    """Return why the game is over for the side to move, or ""; a loss comes before a draw."""
    if not position.turns():
        return "shut_in" if position.pieces[position.mover] else "taken"
    if len(since) > QUIET_LIMIT:
        return "quiet"
    return "repetition" if since[::-2].count(since[-1]) >= REPEATS else ""


game = Draughts()
