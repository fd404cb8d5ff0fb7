"""The suite that game authors run catches a broken game and says which law it breaks.

Each mutant is the small game of these tests with one thing wrong.
"""

from dataclasses import replace
from typing import Any

import pytest

from pbm.engine import AnyGame, GameInfo, Option
from pbm.engine.conformance import ConformanceError, check
from tests.engine import mutants
from tests.engine.noughts import Noughts, game
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
