"""What a game says about a move goes out in its own words, without what may be a password."""

from pathlib import Path

import pytest

from pbm.domain.catalogue import Catalogue, InstalledGame
from pbm.engine import IllegalMoveError, MoveSyntaxError, Seat
from tests.engine.noughts import Noughts, State
from tests.house import HouseUnderTest, text_of

ALICE = "alice@example.org"


class Talkative(Noughts):
    """Quotes what it was given, once as the rules ask and once, for a longer text, unquoted."""

    def parse(self, state: State, seat: Seat, text: str) -> str:
        typed = self.readable(text)
        if typed in self.legal_moves(state, seat):
            return typed
        if len(text.split()) == 3:
            raise MoveSyntaxError(f"No cell is called {text}; the cells are a1 to c3.")
        if typed.startswith("b"):
            raise IllegalMoveError(f'"{typed[:2]}" may not be followed by "{typed[2:]}".')
        raise MoveSyntaxError(f'"{text}" is no cell; the cells are a1 to c3.')


@pytest.fixture
def house(tmp_path: Path) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path)
    vars(house.house)["catalogue"] = Catalogue([InstalledGame(Talkative(), "# Noughts\n")])
    house.add("alice", "bob")
    house.mail(ALICE, "noughts challenge alice alice-pw bob")
    house.reply(house.last_to("bob@example.org"), "accept")
    return house


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("z1", '"z1" is no cell; the cells are a1 to c3.'),
        ("hunter22", "That is no cell; the cells are a1 to c3."),
        ("z1 hunter22", "That is no cell; the cells are a1 to c3."),
        ("a1 hunter22", "Is a1 your move? Nothing was done yet."),
        ("b2 hunter22", "That may not be followed by that."),
        ("z1 hunter22 please", "What you wrote could not be read as a move."),
        ("is cell or", "No cell is called is cell or; the cells are a1 to c3."),
    ],
)
def test_a_refused_move_is_told_in_the_words_of_the_game_and_no_word_of_four_letters_is_repeated(
    house: HouseUnderTest, typed: str, told: str
) -> None:
    (answer,) = house.reply(house.last_to(ALICE), typed)
    assert " ".join(text_of(answer).split()).startswith(told)
    assert typed == told[1:3] or not any(w in text_of(answer) for w in ("hunter22", "please"))
