"""The suite that game authors run catches a broken game and says which law it breaks.

Each mutant is the small game of these tests with one thing wrong.
"""

from dataclasses import replace
from typing import Any

import pytest

from pbm.engine import AnyGame, GameInfo, Option, Turn, replay
from pbm.engine.conformance import ConformanceError, check
from pbm.engine.readings import check_reading, ends_within
from tests.engine import mutants
from tests.engine.noughts import Noughts, game, unordered
from tests.tables import each


def broken(mutant: AnyGame) -> str:
    """Return the law that the suite reports as broken."""
    with pytest.raises(ConformanceError) as found:
        check(mutant, matches=6)
    return str(found.value)


def with_info(**changes: Any) -> AnyGame:
    class Told(Noughts):
        __module__ = mutants.HOME
        info: GameInfo = replace(game.info, **changes)

    return Told()


def test_a_sound_game_passes() -> None:
    check(game)


@each(
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
        ({"key": "draw"}, "no command is called 'draw'"),
        ({"aliases": ("xo", "help")}, "no command is called 'help'"),
        ({"signs": ("x", "x")}, "the sides' signs differ"),
        ({"seats": ("Cross", "cross")}, "the sides' names differ in any case"),
        ({"seats": ("Cross", "Draw")}, "no side is called draw"),
        ({"options": (Option("seed", "1", ("1",), "?"),)}, "'seed' can be typed as an option"),
        ({"options": (Option("a b", "1", ("1",), "?"),)}, "'a b' can be typed as an option"),
        ({"options": (Option("ko", "a", ("a", "A"), "?"),)}, "choices of ko differ in any case"),
        ({"options": (Option("ko", "a b", ("a b",), "?"),)}, "a choice of ko is one word"),
        ({"options": (Option("ko", "a", ("a",), "?"),) * 2}, "each option has a name of its own"),
        ({"options": (Option("ko", 4, (4, 5), "?"),)}, "the choices of ko are texts"),  # type: ignore[arg-type]
        ({"title": "Noughts\nand Crosses"}, "is a line of ASCII"),
        ({"reasons": {"row": "", "full": "the board is full"}}, "'' is a line of ASCII"),
        ({"rules_version": "2"}, "the rules_version is a number"),
        ({"reasons": {"row": "three in a row"}}, "the reason 'full' is explained"),
    ],
)
def test_what_a_game_says_of_itself_is_checked(changes: dict[str, Any], law: str) -> None:
    assert law in broken(with_info(**changes))


@each(
    ("mutant", "law"),
    [
        (mutants.Restless, "the order of moves is stable"),
        (mutants.Stuttering, "each move is listed once"),
        (mutants.Stranding, "to move, has a legal move in"),
        (mutants.Impatient, "seat 1, not to move, has no move"),
        (mutants.Endless, "nobody is to move <=> there is a result"),
        (mutants.Silent, "nobody is to move <=> there is a result"),
        (mutants.Greeting, "begins alike"),
        (mutants.Simultaneous, "one seat is to move at a time"),
        (mutants.Repeating, "each winner is named once"),
        (mutants.Scoring, "each seat has a score, or none has"),
        (mutants.Stateless, "a stored state comes back, not AttributeError"),
        (mutants.Generous, "winners are seats"),
        (mutants.Unexplained, "the reason 'luck' is explained"),
        (mutants.Swapping, "swap is the server's word"),
        (mutants.Commanding, "'resign now' begins with no command"),
        (mutants.Numbering, "'12' begins with no command, no game's name and no plain number"),
        (mutants.Sided, "every seat's side has a name"),
        (mutants.Overwriting, "leaves the position before"),
        (mutants.Wavering, "always leads to the same position"),
        (mutants.Deaf, "' is read as "),
        (mutants.Hasty, " gives a legal move"),
        (mutants.Crashing, "gives a legal move or a MoveError, not "),
        (mutants.Mumbling, "'no such move' is a sentence"),
        (mutants.Echoing, "words that were typed stand in quotation marks only"),
        (mutants.Kindless, "an error has a kind"),
        (mutants.Longwinded, "a sentence is short"),
        (mutants.Undying, "nobody has a move once it is over"),
        (mutants.Whispering, "a replay of "),
        (mutants.Unstorable, "a state can be stored: Object of type set"),
        (mutants.Forgetful, "a stored state comes back equal"),
        (mutants.Drifting, "a stored state has one form"),
    ],
)
def test_a_broken_game_is_told_the_law_that_it_breaks(mutant: type[Noughts], law: str) -> None:
    assert law in broken(mutant())


@each("mutant", [mutants.Endless, mutants.Tripping])
def test_the_match_in_which_a_game_breaks_is_told(mutant: type[Noughts]) -> None:
    with pytest.raises((ConformanceError, ValueError)) as found:
        check(mutant())
    [note] = found.value.__notes__
    told, _, moves = note.partition(", with the moves ")
    assert told == "In a match of noughts misere=no"
    *_, last = replay(game, game.info.setup(), played_by(moves.split()))
    assert (game.result(last.state) is not None) == (mutant is mutants.Endless)
    assert ("a1" in moves.split()) or mutant is mutants.Endless


def played_by(moves: list[str]) -> list[Turn]:
    return [Turn(n % 2, move) for n, move in enumerate(moves)]


@each(
    ("mutant", "law"),
    [
        (unordered.Unordered, "legal moves come in the same order in every process"),
        (unordered.Hashing, " leads to the same position in every process"),
    ],
)
def test_what_differs_between_two_processes_is_told(mutant: type[Noughts], law: str) -> None:
    assert law in broken(mutant())


@each("call", ["legal_moves", "play", "result", "diagram", "parse"])
def test_a_call_that_does_not_end_is_told_with_the_moves_before_it(call: str) -> None:
    with pytest.raises(ConformanceError) as found:
        check(mutants.Unending(call), seconds=0.1)
    told = str(found.value)
    assert told.startswith("broken law: each call of a game ends soon: ")
    assert told.endswith(" of mutants.py, in _loop) has not ended after 0.1 seconds of a core")
    called = told.split(": ")[2].partition(" ")[0]
    assert called == ("to_move" if call == "result" else call)
    *_, moves = found.value.__notes__[0].split()
    assert moves == "b2"


def test_a_text_that_is_read_for_ever_is_told_before_others_are_tried() -> None:
    with pytest.raises(ConformanceError) as found:
        check_reading(mutants.Unending("parse"), ends_within(0.1))
    assert ": parse (line " in str(found.value)


def test_a_class_in_place_of_a_game_is_told_so() -> None:
    assert "the game is an object, `game = Rules()`, and no class" in broken(Noughts)  # type: ignore[arg-type]
