"""Match options as people type them, and what a match keeps of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import Refusal, UnknownName
from pbm.domain.invitations import Terms
from pbm.domain.match import Ending, Outcome
from tests.domain.matches import ALICE, BOB, match
from tests.tables import each


@each(
    ("typed", "terms"),
    [
        ({}, Terms(7, 21, None, rated=True, draw_seats=False)),
        ({"nagtime": "3"}, Terms(nag_days=3)),
        ({"NagTime": "3", "ForfeitTime": "10"}, Terms(nag_days=3, forfeit_days=10)),
        ({"totaltime": "90"}, Terms(total_days=90)),
        ({"unrated": ""}, Terms(rated=False)),
        ({"unrated": "No"}, Terms(rated=True)),
        ({"rated": "no"}, Terms(rated=False)),
        ({"rated": "yes"}, Terms(rated=True)),
        ({"seat": "RANDOM"}, Terms(draw_seats=True)),
        ({"seat": "given"}, Terms(draw_seats=False)),
    ],
)
def test_match_options_are_read_in_any_case(typed: dict[str, str], terms: Terms) -> None:
    assert Terms.read(typed) == terms


@each(
    ("typed", "sentence"),
    [
        ({"nagtime": "0"}, "--nagtime is a number of days from 1 to 3650."),
        ({"nagtime": ""}, "--nagtime is a number of days from 1 to 3650."),
        ({"forfeittime": "3651"}, "--forfeittime is a number of days from 1 to 3650."),
        ({"forfeittime": "9" * 5000}, "--forfeittime is a number of days from 1 to 3650."),
        ({"totaltime": "-5"}, "--totaltime is a number of days from 1 to 3650."),
        ({"totaltime": "\u0663"}, "--totaltime is a number of days from 1 to 3650."),
        ({"seat": ""}, "--seat can be random or given."),
        ({"unrated": "maybe"}, "--unrated can be yes or no."),
        ({"nagtim": "7"}, 'There is no match option "--nagtim"; there is --nagtime'),
        ({"colour": "red"}, 'There is no match option "--colour"; there is --'),
        ({"nagtime": "21"}, "The nagtime, 21 here, must be less than the forfeittime, which is 21"),
        (
            {"nagtime": "7", "forfeittime": "7"},
            "The nagtime, 7 here, must be less than the forfeittime, which is 7: --nagtime=2 --f",
        ),
        (
            {"forfeittime": "1"},
            "The nagtime, 1 here, must be less than the forfeittime, which is 1: --nagtime=1 --f",
        ),
    ],
)
def test_what_cannot_be_agreed_on_is_answered_with_what_can(
    typed: dict[str, str], sentence: str
) -> None:
    with pytest.raises(UnknownName) as refused:
        Terms.read(typed)
    assert str(refused.value).startswith(sentence)


@each(("forfeittime", "nagtime"), [("2", 1), ("5", 1), ("7", 2), ("20", 6), ("21", 7), ("90", 7)])
def test_a_nagtime_that_is_not_given_suits_the_forfeittime(forfeittime: str, nagtime: int) -> None:
    assert Terms.read({"forfeittime": forfeittime}).nag_days == nagtime


@given(st.dictionaries(st.sampled_from(["nagtime", "seat", "rated", "x"]) | st.text(), st.text()))
def test_any_match_options_give_terms_or_a_refusal(typed: dict[str, str]) -> None:
    try:
        terms = Terms.read(typed)
    except Refusal:
        return
    assert 1 <= terms.nag_days < terms.forfeit_days


def test_a_player_is_found_at_each_of_their_seats() -> None:
    assert match().seats_of(BOB) == (1,)
    assert match().seats_of(99) == ()
    assert replace(match(), players=(ALICE, ALICE)).seats_of(ALICE) == (0, 1)


@each(
    ("ending", "counts"),
    [
        (Ending.RULES, True),
        (Ending.RESIGNED, True),
        (Ending.ADJUDICATED, True),
        (Ending.DECLINED, False),
        (Ending.CLOSED, False),
    ],
)
def test_a_match_without_a_result_does_not_count(ending: Ending, *, counts: bool) -> None:
    assert Outcome(ending).counts is counts


@each(
    ("terms", "words"),
    [
        (Terms(), ()),
        (Terms(nag_days=2, forfeit_days=6), ("--nagtime=2", "--forfeittime=6")),
        (Terms(total_days=90, rated=False), ("--totaltime=90", "--unrated")),
        (Terms(draw_seats=True), ("--seat=random",)),
    ],
)
def test_terms_are_written_as_the_words_that_they_are_read_from(
    terms: Terms, words: tuple[str, ...]
) -> None:
    assert terms.words == words
    pairs = (word.removeprefix("--").partition("=") for word in words)
    assert Terms.read({name: value for name, _, value in pairs}) == terms
