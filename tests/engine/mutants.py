"""For each law of the conformance suite, the small game with one thing wrong."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbm.engine import (
    BaseGame,
    Diagram,
    IllegalMoveError,
    MoveError,
    Result,
    Seat,
    Setup,
    Viewer,
)
from tests.engine.noughts import CELLS, Noughts, State, game

HOME = "tests.engine.noughts"
"""The mutants claim the module of the real game, so its help page and playthroughs count."""


class Restless(Noughts):
    """Lists its moves in another order each time."""

    __module__ = HOME
    turn = 0

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        self.turn += 1
        yield from moves if self.turn % 2 else reversed(moves)


class Stuttering(Noughts):
    """Lists a move twice."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        for move in super().legal_moves(state, seat):
            yield from [move] * (2 if move == "b2" else 1)


class Stranding(Noughts):
    """Leaves the player to move without a move before the game is over."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if state.cells.count(".") > 3:
            yield from super().legal_moves(state, seat)


class Impatient(Noughts):
    """Also lets the player move who is not to move."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        for mover in self.to_move(state):
            yield from super().legal_moves(state, mover)


class Endless(Noughts):
    """Has a result, but goes on."""

    __module__ = HOME

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return (state.cells.count("x") - state.cells.count("o"),) if "." in state.cells else ()


class Silent(Noughts):
    """Ends without a result."""

    __module__ = HOME

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return super().to_move(state) if state.cells.count(".") > 5 else ()

    def result(self, state: State) -> Result | None:
        return None


class Generous(Noughts):
    """Lets a third seat win."""

    __module__ = HOME

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and replace(result, winners=(2,))


class Unexplained(Noughts):
    __module__ = HOME

    def result(self, state: State) -> Result | None:
        result = super().result(state)
        return result and replace(result, reason="luck")


class Swapping(Noughts):
    """Takes the server's word `swap` for one of its own moves."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        yield from ["swap"] if len(moves) == 8 else moves


class Commanding(Noughts):
    """Has a move that a mail would take for a command."""

    __module__ = HOME
    word = "resign now"

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        yield from [self.word] if len(moves) == 8 else moves


class Numbering(Commanding):
    """Has a move that a mail would take for the number of a board."""

    __module__ = HOME
    word = "12"


class Sided(Noughts):
    __module__ = HOME

    def sides(self, state: State) -> tuple[str, ...]:
        return ("Cross",)


class Overwriting(Noughts):
    """Changes the position that it is given."""

    __module__ = HOME

    def play(self, state: State, seat: Seat, move: str) -> State:
        after = super().play(state, seat, move)
        object.__setattr__(state, "cells", after.cells)
        return after


class Wavering(Noughts):
    """Does not always reach the same position."""

    __module__ = HOME
    calls = 0

    def play(self, state: State, seat: Seat, move: str) -> State:
        self.calls += 1
        return replace(super().play(state, seat, move), misere=self.calls % 2 == 0)


class Deaf(Noughts):
    """Cannot read capitals, which is how some keyboards begin a line."""

    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        if text.strip() in self.legal_moves(state, seat):
            return text.strip()
        raise IllegalMoveError("That is not a legal move.")


class Hasty(Noughts):
    """Reads a move that is not legal in this position."""

    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        typed = self.readable(text)
        return typed if typed in ("a1", "b2") else super().parse(state, seat, text)


class Crashing(Noughts):
    """Raises several of Python's own errors at texts that it cannot take apart."""

    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        letters = text.replace(" ", "").lower()
        column, row = {"a": 0, "b": 1, "c": 2}[letters[0]], "321".index(letters[1])
        return super().parse(state, seat, CELLS[3 * row + column] + letters[2:])


class Mumbling(Noughts):
    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        try:
            return super().parse(state, seat, text)
        except MoveError as error:
            raise type(error)("no such move", *([()] if error.candidates else [])) from error


class Echoing(Noughts):
    """Repeats what was typed as if it were its own words."""

    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        try:
            return super().parse(state, seat, text)
        except MoveError as error:
            raise IllegalMoveError(f"There is no cell {text.strip()[:9]} here.") from error


class Kindless(Noughts):
    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        try:
            return super().parse(state, seat, text)
        except MoveError as error:
            raise MoveError("That was no move.") from error


class Longwinded(Noughts):
    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        try:
            return super().parse(state, seat, text)
        except MoveError as error:
            raise IllegalMoveError(f"It is {'very ' * 600}wrong.") from error


class Undying(Noughts):
    """Still has moves once it is over."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat == (9 - state.cells.count(".")) % 2:
            yield from (n for n, sign in zip(CELLS, state.cells, strict=True) if sign == ".")


class Whisper(str):
    """A move that holds more than its notation says."""

    __slots__ = ()


class Whispering(Noughts):
    """Plays a listed move differently from the same move after reading it."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        yield from map(Whisper, super().legal_moves(state, seat))

    def parse(self, state: State, seat: Seat, text: str) -> str:
        return str(super().parse(state, seat, text))

    def play(self, state: State, seat: Seat, move: str) -> State:
        return replace(super().play(state, seat, move), misere=isinstance(move, Whisper))


class Unstorable(Noughts):
    __module__ = HOME

    def dump(self, state: State) -> Mapping[str, Any]:
        return {**super().dump(state), "seen": {1, 2}}


class Forgetful(Noughts):
    """Does not store the whole state."""

    __module__ = HOME

    def load(self, data: Mapping[str, Any]) -> State:
        return replace(super().load(data), last=None)


class Drifting(Noughts):
    """Stores a state in a new form each time."""

    __module__ = HOME
    calls = 0

    def dump(self, state: State) -> Mapping[str, Any]:
        self.calls += 1
        return {**super().dump(state), "calls": self.calls}

    def load(self, data: Mapping[str, Any]) -> State:
        return super().load({key: item for key, item in data.items() if key != "calls"})


class Greeting(Noughts):
    """Begins with another position each time."""

    __module__ = HOME
    begun = 0

    def start(self, setup: Setup) -> State:
        self.begun += 1
        return replace(super().start(setup), last=f"{self.begun}")


class Simultaneous(Noughts):
    """Lets both sides move at once."""

    __module__ = HOME

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return (0, 1) if super().to_move(state) else ()


class Repeating(Noughts):
    """Names the winner twice."""

    __module__ = HOME

    def result(self, state: State) -> Result | None:
        found = super().result(state)
        return found and replace(found, winners=found.winners * 2)


class Scoring(Noughts):
    """Has a score for one seat only."""

    __module__ = HOME

    def result(self, state: State) -> Result | None:
        found = super().result(state)
        return found and replace(found, scores=(1,))


class Tripping(Noughts):
    """Cannot play in the corner."""

    __module__ = HOME

    def play(self, state: State, seat: Seat, move: str) -> State:
        return super().play(state, seat, {"a1": "z9"}.get(move, move))


class Unending(Noughts):
    """Has a `call` that loops once the middle is taken."""

    __module__ = HOME

    def __init__(self, call: str) -> None:
        self.call = call

    def _loop(self, call: str, cells: str) -> None:
        while call == self.call and cells[4] != ".":
            pass

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        self._loop("legal_moves", state.cells)
        yield from super().legal_moves(state, seat)

    def play(self, state: State, seat: Seat, move: str) -> State:
        after = super().play(state, seat, move)
        self._loop("play", after.cells)
        return after

    def result(self, state: State) -> Result | None:
        self._loop("result", state.cells)
        return super().result(state)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        self._loop("diagram", state.cells)
        return super().diagram(state, viewer)

    def parse(self, state: State, seat: Seat, text: str) -> str:
        self._loop("parse", state.cells if text not in CELLS else "." * 9)
        return super().parse(state, seat, text)


class Stateless(BaseGame):  # type: ignore[type-arg]
    """Does not say what its state is."""

    __module__ = HOME
    info = game.info

    def __getattribute__(self, name: str) -> Any:
        if name in ("start", "to_move", "legal_moves", "play", "result", "diagram"):
            return getattr(game, name)
        return super().__getattribute__(name)
