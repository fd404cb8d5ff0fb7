"""The side that a player asks for, and how sides are exchanged for another match."""

import pytest

from pbm.domain.errors import UnknownName
from pbm.domain.invitations import asked_seat, exchanged, moved_to
from tests.tables import each

SIDES = ("Eks", "Dark Side")


@each(
    ("word", "seat"),
    [("first", 0), ("Second", 1), ("1", 0), ("2", 1), ("EKS", 0), ("dark-side", 1)],
)
def test_a_side_is_asked_for_by_its_place_or_its_name(word: str, seat: int) -> None:
    assert asked_seat({"Seat": word, "nagtime": "3"}, SIDES) == (seat, {"nagtime": "3"})


@each("given", [{}, {"seat": "random"}, {"SEAT": "given"}, {"unrated": ""}])
def test_what_names_no_side_is_left_to_the_terms(given: dict[str, str]) -> None:
    assert asked_seat(given, SIDES) == (None, given)


@each("word", ["", "third", "3", "0", "white", "dark"])
def test_a_side_that_there_is_not_is_refused_with_those_that_there_are(word: str) -> None:
    with pytest.raises(UnknownName) as refused:
        asked_seat({"seat": word}, SIDES)
    assert str(refused.value) == "--seat can be random, first, second, Eks or Dark Side."


def test_a_name_goes_before_a_number() -> None:
    assert asked_seat({"seat": "first"}, ("Second", "First")) == (1, {})


def test_who_asks_for_a_seat_gets_it_and_the_others_stay_in_order() -> None:
    assert moved_to(1, "a", ("a", "b")) == ("b", "a")
    assert moved_to(0, "a", ("a", "b")) == ("a", "b")
    assert moved_to(2, "a", ("a", "b", "c")) == ("b", "c", "a")


def test_the_first_plays_second_in_the_next_match() -> None:
    assert exchanged(("a", "b")) == ("b", "a")
    assert exchanged(("a", "b", "c")) == ("c", "a", "b")
