"""States as JSON: they come back equal, and equal states have equal bytes."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.engine import decode, encode, from_json, from_plain, to_json, to_plain
from tests.engine.noughts import Noughts, State, game
from tests.tables import each


class Side(StrEnum):
    LIGHT = "light"
    DARK = "dark"


class Rank(IntEnum):
    PAWN = 1
    KING = 10


@dataclass(frozen=True, slots=True)
class Stone:
    at: tuple[int, int]
    side: Side
    rank: Rank = Rank.PAWN


@dataclass(frozen=True, slots=True)
class Board:
    """A state with one of everything that a state may hold."""

    stones: tuple[Stone, ...]
    seen: frozenset[int]
    names: frozenset[str]
    held: frozenset[Stone]
    stock: Mapping[str, int]
    groups: Mapping[str, tuple[Side, ...]]
    last: Stone | None
    note: str | None
    value: float
    over: bool


SIDES = st.sampled_from(Side)
STONES = st.builds(Stone, st.tuples(st.integers(), st.integers()), SIDES, st.sampled_from(Rank))
BOARDS = st.builds(
    Board,
    stones=st.lists(STONES, max_size=4).map(tuple),
    seen=st.frozensets(st.integers(), max_size=12),
    names=st.frozensets(st.text(max_size=4), max_size=4),
    held=st.frozensets(STONES, max_size=4),
    stock=st.dictionaries(st.text(max_size=4), st.integers(), max_size=4),
    groups=st.dictionaries(st.text(max_size=2), st.lists(SIDES, max_size=3).map(tuple), max_size=3),
    last=st.none() | STONES,
    note=st.none() | st.text(max_size=5),
    value=st.floats(allow_nan=False),
    over=st.booleans(),
)


def through_json(kind: Any, value: Any) -> Any:
    return from_plain(kind, json.loads(json.dumps(to_plain(value))))


@settings(max_examples=50)
@given(BOARDS)
def test_a_state_comes_back_equal(board: Board) -> None:
    restored = through_json(Board, board)
    assert restored == board
    assert [type(stone.side) for stone in restored.stones] == [Side] * len(board.stones)


@given(st.lists(st.integers() | st.text(max_size=2), unique=True, max_size=8), st.randoms())
def test_a_set_has_one_form_however_it_came_about(members: list[int | str], chance: Any) -> None:
    shuffled = list(members)
    chance.shuffle(shuffled)
    assert to_plain(frozenset(shuffled)) == to_plain(frozenset(members))


def test_numbers_in_a_set_are_in_order() -> None:
    assert to_plain(frozenset({10, 9, 100})) == [9, 10, 100]


@each(
    ("kind", "value"),
    [
        (tuple[int, str], (1, "a")),
        (tuple[()], ()),
        (tuple[tuple[Rank, ...], ...], ((Rank.KING,), ())),
        (Side | None, None),
        (Side | None, Side.DARK),
        (frozenset[tuple[int, int]], frozenset({(2, 1), (1, 10), (1, 2)})),
        (Mapping[str, frozenset[int]], {"a": frozenset({3})}),
    ],
)
def test_nested_kinds_come_back_equal(kind: Any, value: Any) -> None:
    assert through_json(kind, value) == value


@each("value", [[1], {1}, b"x", object(), {1: "a"}, 1j, (1, [2])])
def test_what_could_change_or_would_not_come_back_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="a state may not hold a"):
        to_plain(value)


@pytest.mark.parametrize("kind", [list[int], Callable[[], int]])
def test_a_kind_that_cannot_be_read_back_says_what_to_do(kind: Any) -> None:
    with pytest.raises(TypeError, match="write dump and load"):
        from_plain(kind, [1])


def test_the_stored_text_is_sorted_ascii_without_spaces() -> None:
    text = encode(game, State("xo.......", "a3"))
    assert text == '{"cells":"xo.......","last":"a3","misere":false}'
    assert decode(game, text) == State("xo.......", "a3")


def test_an_enum_is_stored_by_its_value() -> None:
    assert to_plain((Side.DARK, Rank.KING)) == ["dark", 10]


def test_a_game_made_from_another_can_have_a_state_of_its_own() -> None:
    class Stones(Noughts):
        state_type = Stone

    stone: object = Stone((1, 2), Side.DARK)
    assert Stones().load(to_plain(stone)) == stone


LETTERS = 'aZ09 "\\/\x00\x1f\x7f\x85\u00e9\u05d0\u2028\ud7ff\ufffd\U0001f3b2'


def text_in(chance: Random) -> str:
    return "".join(chance.choices(LETTERS, k=chance.choice((0, 1, 2, 9))))


def plain_in(chance: Random, depth: int) -> Any:
    """Return a value of any plain kind; one of `depth` 0 holds no other."""
    kind = chance.randrange(6 if depth else 4)
    if kind >= 4:
        inner = [plain_in(chance, depth - 1) for _ in range(chance.randrange(5))]
        return inner if kind == 4 else {text_in(chance): value for value in inner}
    whole = chance.choice((0, -1, chance.randrange(-(10**3), 10**3), chance.randrange(10**30)))
    return (None, chance.random() < 0.5, whole, text_in(chance))[kind]


@each("depth", range(5))
def test_plain_values_are_written_and_read_as_the_json_module_does(depth: int) -> None:
    chance = Random(depth)  # Hypothesis takes ten times as long for values in one another
    for _ in range(100):
        plain = plain_in(chance, depth)
        text = to_json(plain)
        assert text == json.dumps(plain, sort_keys=True, separators=(",", ":"))
        assert from_json(text) == json.loads(text) == plain
