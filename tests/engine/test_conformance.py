"""The suite that game authors run catches a broken game, and says which law it breaks.

Each mutant is the small game of these tests with one thing wrong.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbm.engine import (
    AnyGame,
    GameInfo,
    IllegalMoveError,
    MoveError,
    Option,
    Result,
    Seat,
)
from pbm.engine.conformance import ConformanceError, check
from tests.engine.noughts import CELLS, Noughts, State, game

HOME = "tests.engine.noughts"
"""The mutants say that they live beside the real rules: its help page and playthroughs hold."""


def broken(mutant: AnyGame) -> str:
    """Return the law that the suite finds broken."""
    with pytest.raises(ConformanceError) as found:
        check(mutant, matches=6)
    return str(found.value)


def with_info(**changes: Any) -> AnyGame:
    class Told(Noughts):
        __module__ = HOME
        info: GameInfo = replace(game.info, **changes)

    return Told()


def test_a_sound_game_passes() -> None:
    check(game)


@pytest.mark.parametrize(
    ("changes", "law"),
    [
        ({"key": "Noughts"}, "'Noughts' can be typed as a game's name"),
        ({"aliases": ("tic-tac",)}, "'tic-tac' can be typed as a game's name"),
        ({"seats": ("Cross",)}, "a match has two seats or more"),
        ({"signs": ("x",)}, "each seat has a sign"),
        ({"signs": ("x", "oo")}, "a sign is one character"),
        ({"seats": ("Cross", "The Nought")}, "a side's name is one word"),
        ({"styles": ()}, "there is a style and a reason to end"),
        ({"reasons": {}}, "there is a style and a reason to end"),
        ({"options": (Option("misere", "never", ("no",), "?"),)}, "the default of misere is a"),
        ({"options": (Option("misere", "no", ("no",), ""),)}, "misere is explained"),
        ({"example": "B2"}, "the example 'B2' is a canonical first move"),
        ({"example": "z9"}, "the example 'z9' is a canonical first move"),
        ({"reasons": {"row": "three in a row"}}, "the reason 'full' is explained"),
    ],
)
def test_what_a_game_says_of_itself_is_checked(changes: dict[str, Any], law: str) -> None:
    assert law in broken(with_info(**changes))


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
    """Leaves the player to move without a move before it is over."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        if state.cells.count(".") > 3:
            yield from super().legal_moves(state, seat)


class Impatient(Noughts):
    """Lets the player who is not to move play, too."""

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
    """Takes the server's word for a move of its own."""

    __module__ = HOME

    def legal_moves(self, state: State, seat: Seat) -> Iterator[str]:
        moves = list(super().legal_moves(state, seat))
        yield from ["swap"] if len(moves) == 8 else moves


class Sided(Noughts):
    __module__ = HOME

    def sides(self, state: State) -> tuple[str, ...]:
        return ("Cross",)


class Overwriting(Noughts):
    """Writes on the position that it is given."""

    __module__ = HOME

    def play(self, state: State, seat: Seat, move: str) -> State:
        after = super().play(state, seat, move)
        object.__setattr__(state, "cells", after.cells)
        return after


class Wavering(Noughts):
    """Does not always come to the same position."""

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
    """Meets texts that it cannot take apart with errors of Python's, of more than one kind."""

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


class Kindless(Noughts):
    __module__ = HOME

    def parse(self, state: State, seat: Seat, text: str) -> str:
        try:
            return super().parse(state, seat, text)
        except MoveError as error:
            raise MoveError("That was no move.") from error


class Unstorable(Noughts):
    __module__ = HOME

    def dump(self, state: State) -> Mapping[str, Any]:
        return {**super().dump(state), "seen": {1, 2}}


class Forgetful(Noughts):
    """Does not store all of a state."""

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


@pytest.mark.parametrize(
    ("mutant", "law"),
    [
        (Restless, "the order of moves is stable"),
        (Stuttering, "each move is listed once"),
        (Stranding, "to move, has a legal move in"),
        (Impatient, "seat 1, not to move, has no move"),
        (Endless, "nobody is to move <=> there is a result"),
        (Silent, "nobody is to move <=> there is a result"),
        (Generous, "winners are seats"),
        (Unexplained, "the reason 'luck' is explained"),
        (Swapping, "swap is the server's word"),
        (Sided, "every seat's side has a name"),
        (Overwriting, "leaves the position before"),
        (Wavering, "always leads to the same position"),
        (Deaf, "' is read as "),
        (Hasty, " gives a legal move"),
        (Crashing, "gives a legal move or a MoveError, not "),
        (Mumbling, "'no such move' is a sentence"),
        (Kindless, "an error has a kind"),
        (Unstorable, "a state can be stored: Object of type set"),
        (Forgetful, "a stored state comes back equal"),
        (Drifting, "a stored state has one form"),
    ],
)
def test_a_broken_game_is_told_the_law_that_it_breaks(mutant: type[Noughts], law: str) -> None:
    assert law in broken(mutant())
