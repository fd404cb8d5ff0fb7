"""Options as players type them, and the setup that they make."""

from dataclasses import FrozenInstanceError
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.engine import GameInfo, Option, OptionError, Setup
from tests.tables import each

INFO = GameInfo(
    key="mill",
    title="Mill",
    seats=("Light", "Dark"),
    signs=("x", "o"),
    summary="A game for tests.",
    reasons={"three": "three left"},
    example="a1",
    options=(
        Option("size", "9", ("5", "9", "13"), "rows"),
        Option("sizes", "all", ("all", "Few"), "a longer name"),
        Option("flying", "yes", ("yes", "no"), "with three pieces"),
        Option("flags", "no", ("yes", "no"), "a name with the same beginning"),
    ),
)


@each(
    ("given_options", "name", "value"),
    [
        ({}, "size", "9"),
        ({"size": "13"}, "size", "13"),
        ({"SIZE": "13"}, "size", "13"),
        ({"Fly": "NO"}, "flying", "no"),
        ({"sizes": "FEW"}, "sizes", "Few"),
        ({"size": "\uff15"}, "size", "5"),
        ({"size": " 5 "}, "size", "5"),
    ],
)
def test_options_are_read_in_any_case_and_by_a_beginning_that_fits_one(
    given_options: dict[str, str], name: str, value: str
) -> None:
    assert INFO.setup(given_options)[name] == value


def test_a_whole_name_is_taken_although_a_longer_one_begins_with_it() -> None:
    setup = INFO.setup({"size": "5"})
    assert (setup["size"], setup["sizes"]) == ("5", "all")


@each(
    ("given_options", "sentence"),
    [
        ({"flyin": "7"}, 'The option flying of Mill cannot be "7"; it can be yes or no.'),
        ({"sizze": "5"}, 'Mill has no option "sizze"; there is size and sizes.'),
        ({"fl": "no"}, 'Mill has no option "fl"; there is flying and flags.'),
        ({"": "5"}, 'Mill has no option ""; there is size, sizes, flying and flags.'),
        ({"x": "5"}, 'Mill has no option "x"; there is size, sizes, flying and flags.'),
        ({"size": ""}, 'The option size of Mill cannot be ""; it can be 5, 9 or 13.'),
    ],
)
def test_what_does_not_exist_is_answered_with_what_would_work(
    given_options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(OptionError) as refused:
        INFO.setup(given_options)
    assert str(refused.value) == sentence


def test_a_game_without_options_says_so() -> None:
    plain = GameInfo("go", "Go", ("B", "W"), ("x", "o"), "", {}, "a1")
    with pytest.raises(OptionError, match='Go has no options; "size" was read'):
        plain.setup({"size": "9"})


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=3))
def test_any_options_give_a_setup_of_every_option_or_a_sentence(options: dict[str, str]) -> None:
    try:
        setup = INFO.setup(options)
    except OptionError as error:
        sentence = str(error)
    else:
        sentence = "."
        assert all(setup[option.name] in option.choices for option in INFO.options)
    assert sentence.endswith(".")
    assert sentence.isprintable()


def test_a_setup_is_a_value_that_nobody_can_change() -> None:
    options = {"size": "9"}
    setup = Setup(options, seed=4)
    options["size"] = "5"
    assert setup["size"] == "9"
    assert setup == Setup({"size": "9"}, 4)
    with pytest.raises(TypeError):
        cast("Any", setup.options)["size"] = "5"
    with pytest.raises(FrozenInstanceError):
        cast("Any", setup).seed = 5
