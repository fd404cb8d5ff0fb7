"""The values of the engine: states as JSON, options and setups, and the families of errors."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import FrozenInstanceError, dataclass
from enum import IntEnum, StrEnum
from random import Random
from types import ModuleType
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbm.domain import errors as refusals
from pbm.engine import (
    AmbiguousMoveError,
    GameInfo,
    IncompleteMoveError,
    MoveError,
    Option,
    OptionError,
    Setup,
    decode,
    encode,
    errors,
    from_json,
    from_plain,
    to_json,
    to_plain,
)
from pbm.errors import PlainError
from tests.engine.noughts import Noughts, State, game
from tests.readings import answers


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


@pytest.mark.parametrize(
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


def test_what_could_change_or_would_not_come_back_is_refused() -> None:
    for value in ([1], {1}, b"x", object(), {1: "a"}, 1j, (1, [2])):
        with pytest.raises(TypeError, match="a state may not hold a"):
            to_plain(value)
    for kind in (list[int], Callable[[], int]):
        with pytest.raises(TypeError, match="write dump and load"):
            from_plain(kind, [1])


def test_a_field_of_a_newer_program_is_left_out() -> None:
    stone = Stone((1, 2), Side.DARK, Rank.KING)
    plain = {**json.loads(json.dumps(to_plain(stone))), "colour": "red"}
    assert from_plain(Stone, plain) == stone


def test_the_stored_text_is_sorted_ascii_without_spaces() -> None:
    text = encode(game, State("xo.......", "a3"))
    assert text == '{"cells":"xo.......","last":"a3","misere":false}'
    assert decode(game, text) == State("xo.......", "a3")


def test_numbers_in_a_set_are_in_order_and_an_enum_is_stored_by_its_value() -> None:
    assert to_plain(frozenset({10, 9, 100})) == [9, 10, 100]
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


@pytest.mark.parametrize("depth", range(5))
def test_plain_values_are_written_and_read_as_the_json_module_does(depth: int) -> None:
    chance = Random(depth)  # Hypothesis takes ten times as long for values in one another
    for _ in range(100):
        plain = plain_in(chance, depth)
        text = to_json(plain)
        assert text == json.dumps(plain, sort_keys=True, separators=(",", ":"))
        assert from_json(text) == json.loads(text) == plain


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


OPTIONS = """
size=13     | size -> 13
SIZE=13     | size -> 13
Fly=NO      | flying -> no
sizes=FEW   | sizes -> Few
size=\uff15 | size -> 5
size=\x205  | size -> 5
# A whole name is taken although a longer one begins with it.
size=5      | sizes -> all
flyin=7     | size -> ! The option flying of Mill cannot be "7"; it can be yes or no.
sizze=5     | size -> ! Mill has no option "sizze"; there is size and sizes.
fl=no       | size -> ! Mill has no option "fl"; there is flying and flags.
=5          | size -> ! Mill has no option ""; there is size, sizes, flying and flags.
x=5         | size -> ! Mill has no option "x"; there is size, sizes, flying and flags.
size=       | size -> ! The option size of Mill cannot be ""; it can be 5, 9 or 13.
"""


def test_options_are_read_in_any_case_and_by_a_beginning_that_fits_one() -> None:
    def chosen(pair: str, name: str) -> str:
        return INFO.setup(dict([pair.split("=")]))[name]

    assert answers(OPTIONS, chosen, OptionError) == OPTIONS
    assert INFO.setup()["size"] == "9"
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
    setup = Setup(options, dealt=("3", "1"))
    options["size"] = "5"
    assert setup["size"] == "9"
    assert setup == Setup({"size": "9"}, ("3", "1"))
    with pytest.raises(TypeError):
        cast("Any", setup.options)["size"] = "5"
    with pytest.raises(FrozenInstanceError):
        cast("Any", setup).dealt = ()


BRANCH = re.compile(r"^    ((?:[|` ] {3})*(?:[|`]-- )?)([A-Z]\w+)", re.MULTILINE)


def drawn(module: ModuleType) -> Iterator[tuple[str, str | None]]:
    """Yield (name, name of the parent) for each class in the tree of a module's docstring."""
    path: list[str] = []
    for branch, name in BRANCH.findall(module.__doc__ or ""):
        depth = len(branch) // 4
        path[depth:] = [name]
        yield name, path[depth - 1] if depth else None


def written(module: ModuleType) -> dict[str, type[Exception]]:
    return {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, Exception)
        and value.__module__ == module.__name__
    }


@pytest.mark.parametrize("module", [errors, refusals], ids=["engine", "domain"])
def test_the_tree_in_the_docstring_is_the_tree_of_classes(module: ModuleType) -> None:
    tree = dict(drawn(module))
    classes = written(module)
    assert set(tree) == set(classes)
    for name, parent in tree.items():
        assert classes[name].__base__ is (classes[parent] if parent else PlainError), name


def test_each_move_error_that_can_be_raised_has_its_own_kind() -> None:
    leaves = [
        error
        for error in written(errors).values()
        if issubclass(error, MoveError) and not error.__subclasses__()
    ]
    kinds = sorted(leaf.kind for leaf in leaves)
    assert kinds == ["ambiguous", "illegal", "incomplete", "syntax"]
    for leaf in leaves:
        assert f'"{leaf.kind}"' in (errors.__doc__ or "")


def test_an_unfinished_move_keeps_its_candidates_in_order_and_its_question_mark() -> None:
    for kind in (IncompleteMoveError, AmbiguousMoveError):
        error = kind("Say where it goes.", iter(["b2", "a1"]))
        assert error.candidates == ("b2", "a1")
        assert error.sentence == "Say where it goes."
        assert str(error) == "Say where it goes: b2 or a1."
    asked = str(IncompleteMoveError("Where does it go?", ["b2", "a1"]))
    assert asked == "Where does it go: b2 or a1?"
    assert str(IncompleteMoveError("Where does it go?", [])) == "Where does it go?"
    assert errors.IllegalMoveError("No.").candidates == ()
    assert refusals.Refusal("No.").examples == ()
