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

LAWS: dict[type[Noughts], str] = {}
"""The mutants, and the law that each of them breaks."""


class Mutant(Noughts):
    """The small game with one thing wrong: it breaks a law, if that is given."""

    def __init_subclass__(cls, law: str = "") -> None:
        cls.__module__ = HOME
        if law:
            LAWS[cls] = law


class Changed(Mutant):
    """Says something else in its info, its results or its boards."""

    def __init__(self, part: str, changes: Mapping[str, Any]) -> None:
        self.changes = {part: changes}
        self.info = self._changed("info", game.info)

    def _changed(self, part: str, value: Any) -> Any:
        return replace(value, **self.changes.get(part, {}))

    def result(self, state: State) -> Result | None:
        found = super().result(state)
        return found and self._changed("result", found)

    def diagram(self, state: State, viewer: Viewer) -> Diagram:
        bare = replace(super().diagram(state, viewer), pieces=(), marks=())
        drawn: Diagram = self._changed("board", bare)
        return drawn


class Restless(Mutant, law="the order of moves is stable"):
    """Lists its moves in another order each time."""

    turn = 0

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        self.turn += 1
        yield from moves if self.turn % 2 else reversed(moves)


class Stuttering(Mutant, law="each move is listed once"):
    """Lists a move twice."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        for move in super().legal_moves(state, seat):
            yield from [move] * (2 if move == "b2" else 1)


class Stranding(Mutant, law="to move, has a legal move in"):
    """Leaves the player to move without a move before the game is over."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if state.cells.count(".") > 3:
            yield from super().legal_moves(state, seat)


class Impatient(Mutant, law="seat 1, not to move, has no move"):
    """Also lets the player move who is not to move."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        for mover in self.to_move(state):
            yield from super().legal_moves(state, mover)


class Endless(Mutant, law="nobody is to move <=> there is a result"):
    """Has a result, but goes on."""

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return (state.cells.count("x") - state.cells.count("o"),) if "." in state.cells else ()


class Silent(Mutant, law="nobody is to move <=> there is a result"):
    """Ends without a result."""

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return super().to_move(state) if state.cells.count(".") > 5 else ()

    def result(self, state: State) -> Result | None:
        return None


class Swapping(Mutant, law="swap is the server's word"):
    """Takes the server's word `swap` for one of its own moves."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        yield from ["swap"] if len(moves) == 8 else moves


class Commanding(Mutant, law="'resign now' begins with no command"):
    """Has a move that a mail would take for a command."""

    word = "resign now"

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        yield from [self.word] if len(moves) == 8 else moves


class Numbering(Commanding, law="'12' begins with no command, no game's name and no plain number"):
    """Has a move that a mail would take for the number of a board."""

    word = "12"


class Sided(Mutant, law="the side of every seat of the match has a name"):
    def sides(self, state: State) -> tuple[str, ...]:
        return ("Cross",)


class Overwriting(Mutant, law="leaves the position before"):
    """Changes the position that it is given."""

    def play(self, state: State, seat: Seat, move: str) -> State:
        after = super().play(state, seat, move)
        object.__setattr__(state, "cells", after.cells)
        return after


class Wavering(Mutant, law="always leads to the same position"):
    """Does not always reach the same position."""

    calls = 0

    def play(self, state: State, seat: Seat, move: str) -> State:
        self.calls += 1
        return replace(super().play(state, seat, move), misere=self.calls % 2 == 0)


class Deaf(Mutant, law="' is read as "):
    """Cannot read capitals, which is how some keyboards begin a line."""

    def parse(self, state: State, seat: Seat, text: str) -> str:
        if text.strip() in self.legal_moves(state, seat):
            return text.strip()
        raise IllegalMoveError("That is not a legal move.")


class Hasty(Mutant, law=" gives a legal move"):
    """Reads a move that is not legal in this position."""

    def parse(self, state: State, seat: Seat, text: str) -> str:
        typed = self.readable(text)
        return typed if typed in ("a1", "b2") else super().parse(state, seat, text)


class Crashing(Mutant, law="gives a legal move or a MoveError, not "):
    """Raises several of Python's own errors at texts that it cannot take apart."""

    def parse(self, state: State, seat: Seat, text: str) -> str:
        letters = text.replace(" ", "").lower()
        column, row = {"a": 0, "b": 1, "c": 2}[letters[0]], "321".index(letters[1])
        return super().parse(state, seat, CELLS[3 * row + column] + letters[2:])


class Refusing(Mutant):
    """Refuses what it cannot read in another way."""

    def parse(self, state: State, seat: Seat, text: str) -> str:
        try:
            return super().parse(state, seat, text)
        except MoveError as error:
            raise self.refusal(error, text) from error

    def refusal(self, error: MoveError, text: str) -> MoveError:
        raise NotImplementedError


class Mumbling(Refusing, law="'no such move' is a sentence"):
    def refusal(self, error: MoveError, text: str) -> MoveError:
        return type(error)("no such move", *([()] if error.candidates else []))


class Echoing(Refusing, law="words that were typed stand in quotation marks only"):
    """Repeats what was typed as if it were its own words."""

    def refusal(self, error: MoveError, text: str) -> MoveError:
        return IllegalMoveError(f"There is no cell {text.strip()[:9]} here.")


class Kindless(Refusing, law="an error has a kind"):
    def refusal(self, error: MoveError, text: str) -> MoveError:
        return MoveError("That was no move.")


class Longwinded(Refusing, law="a sentence is short"):
    def refusal(self, error: MoveError, text: str) -> MoveError:
        return IllegalMoveError(f"It is {'very ' * 600}wrong.")


class Undying(Mutant, law="nobody has a move once it is over"):
    """Still has moves once it is over."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if seat == (9 - state.cells.count(".")) % 2:
            yield from (n for n, sign in zip(CELLS, state.cells, strict=True) if sign == ".")


class Whisper(str):
    """A move that holds more than its notation says."""

    __slots__ = ()


class Whispering(Mutant, law="a replay of "):
    """Plays a listed move differently from the same move after reading it."""

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        yield from map(Whisper, super().legal_moves(state, seat))

    def parse(self, state: State, seat: Seat, text: str) -> str:
        return str(super().parse(state, seat, text))

    def play(self, state: State, seat: Seat, move: str) -> State:
        return replace(super().play(state, seat, move), misere=isinstance(move, Whisper))


class Unstorable(Mutant, law="a state can be stored: Object of type set"):
    def dump(self, state: State) -> Mapping[str, Any]:
        return {**super().dump(state), "seen": {1, 2}}


class Forgetful(Mutant, law="a stored state comes back equal"):
    """Does not store the whole state."""

    def load(self, data: Mapping[str, Any]) -> State:
        return replace(super().load(data), last=None)


class Drifting(Mutant, law="a stored state has one form"):
    """Stores a state in a new form each time."""

    calls = 0

    def dump(self, state: State) -> Mapping[str, Any]:
        self.calls += 1
        return {**super().dump(state), "calls": self.calls}

    def load(self, data: Mapping[str, Any]) -> State:
        return super().load({key: item for key, item in data.items() if key != "calls"})


class Greeting(Mutant, law="begins alike"):
    """Begins with another position each time."""

    begun = 0

    def start(self, setup: Setup) -> State:
        self.begun += 1
        return replace(super().start(setup), last=f"{self.begun}")


class Simultaneous(Mutant, law="one seat is to move at a time"):
    """Lets both sides move at once."""

    def to_move(self, state: State) -> tuple[Seat, ...]:
        return (0, 1) if super().to_move(state) else ()


class Tripping(Mutant):
    """Cannot play in the corner."""

    def play(self, state: State, seat: Seat, move: str) -> State:
        return super().play(state, seat, {"a1": "z9"}.get(move, move))


class Unending(Mutant):
    """Has a `call` that loops once the middle is taken."""

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
