"""Command lines taken apart: options, board numbers, credentials, moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbm.domain.errors import NotUnderstood
from pbm.engine import fold, near
from pbm.service.line import Credentials, Words, options_last, split_options
from tests.calls import calls_of
from tests.service.houses import GRAMMAR, PLAYER
from tests.tables import each


def words(line: str) -> Words:
    return Words(line.split())


@each(
    ("line", "plain", "game", "match"),
    [
        ("alice pw bob", "alice pw bob", {}, {}),
        ("-size=5 alice pw bob", "alice pw bob", {"size": "5"}, {}),
        ("alice -size=5 pw --nagtime=3 bob", "alice pw bob", {"size": "5"}, {"nagtime": "3"}),
        ("alice pw bob -ko", "alice pw bob", {"ko": "yes"}, {}),
        ("alice pw bob --unrated", "alice pw bob", {}, {"unrated": ""}),
        ("alice \u2014unrated bob", "alice bob", {}, {"unrated": ""}),
        ("alice \u2014seat=random bob", "alice bob", {}, {"seat": "random"}),
        ("alice \u2013size=5 bob", "alice bob", {"size": "5"}, {}),
        ("-size= x", "x", {"size": ""}, {}),
        ("-a=b=c", "", {"a": "b=c"}, {}),
        ("- -- -5 a-b -=x ---x", "- -- -5 a-b -=x ---x", {}, {}),
        ("-size=5 -size=9", "", {"size": "9"}, {}),
    ],
)
def test_options_are_taken_out_wherever_they_stand(
    line: str, plain: str, game: dict[str, str], match: dict[str, str]
) -> None:
    options = split_options(line.split())
    assert (" ".join(options.words), options.game, options.match) == (plain, game, match)


@each(
    ("line", "board", "rest"),
    [
        ("104 G7", (104, None), ["G7"]),
        ("#104 G7", (104, None), ["G7"]),
        ("104#17 G7", (104, 17), ["G7"]),
        ("104, 105", (104, None), ["105"]),
        ("G7", (None, None), ["G7"]),
        ("1234567890", (None, None), ["1234567890"]),
        ("104x", (None, None), ["104x"]),
        ("104#", (None, None), ["104#"]),
        ("", (None, None), []),
    ],
)
def test_a_board_number_is_taken_from_the_front(
    line: str, board: tuple[int | None, int | None], rest: list[str]
) -> None:
    taken = words(line)
    assert taken.board_number() == board
    assert taken.rest == rest


def test_credentials_are_the_next_two_words_where_nothing_is_proven() -> None:
    taken = words("alice alice-pw G7")
    assert taken.credentials(None, least_rest=1) == Credentials("alice", "alice-pw")
    assert taken.rest == ["G7"]


@pytest.mark.parametrize("line", ["", "alice"])
def test_missing_credentials_are_asked_for(line: str) -> None:
    with pytest.raises(NotUnderstood, match="your userid and password are missing"):
        words(line).credentials(None, least_rest=0)


@each(
    ("line", "least_rest", "rest"),
    [
        ("G7", 1, ["G7"]),
        ("alice alice-pw G7", 1, ["G7"]),
        ("ALICE alice-pw G7", 1, ["G7"]),
        ("alice alice-pw", 1, []),  # the move is missing; the password is not taken for it
        ("alice alice-pw", 0, []),
        ("alice", 1, ["alice"]),
        ("alice bob", 2, ["alice", "bob"]),  # a challenge by a player who is already proven
        ("alice alice-pw bob", 2, ["bob"]),
        ("bob bob-pw G7", 1, ["bob", "bob-pw", "G7"]),
        ("a1 b2 c3", 1, ["a1", "b2", "c3"]),
    ],
)
def test_a_proven_players_own_credentials_are_taken_out(
    line: str, least_rest: int, rest: list[str]
) -> None:
    taken = words(line)
    given = taken.credentials(PLAYER, least_rest=least_rest)
    assert given == (Credentials(*line.split()[:2]) if len(rest) < len(line.split()) else None)
    assert taken.rest == rest


@given(st.text(alphabet="abc1-#", min_size=1, max_size=8), st.lists(st.just("G7"), max_size=3))
def test_a_password_after_ones_own_userid_is_never_left_for_a_move(
    password: str, move: list[str]
) -> None:
    taken = Words(["Alice", f"pw{password}", *move])
    taken.credentials(PLAYER, least_rest=1)
    assert taken.rest == move


@each(
    ("line", "text", "ply"),
    [
        ("G7", "G7", None),
        ("a1  to b2", "a1 to b2", None),
        ("G7#17", "G7", 17),
        ("G7 #17", "G7", 17),
        ("G7 # 17", "G7", 17),
        ("#17", "", 17),
        ("G7#0", "G7", 0),
        ("a#1 b", "a#1 b", None),
        ("G7#12345", "G7#12345", None),
        ("", "", None),
    ],
)
def test_the_rest_is_one_text_and_the_ply_it_was_meant_for(
    line: str, text: str, ply: int | None
) -> None:
    assert words(line).text_and_ply() == (text, ply)


@pytest.mark.parametrize(
    ("line", "turned"),
    [
        ("-size=5 gonnect -ko move", "gonnect -ko move -size=5"),
        ("--unrated -size=5 challenge alice", "challenge alice --unrated -size=5"),
        ("-- show 101", "-- show 101"),
        ("-size=5 --unrated", "-size=5 --unrated"),
        ("", ""),
    ],
)
def test_options_before_a_verb_stand_behind_it_as_well(line: str, turned: str) -> None:
    assert options_last(line.split()) == turned.split()


@each("begin", ["games", "noughts show bob", "noughts challenge alice alice-pw", "games alice all"])
def test_of_thousands_of_words_few_are_looked_at(begin: str) -> None:
    line = f"{begin} " + "\u00e9 " * 5000
    assert calls_of(fold, lambda: GRAMMAR.read(line, None)) < 300


def read_in_vain(line: str) -> None:
    with pytest.raises(NotUnderstood):
        GRAMMAR.read(line, None)


@each("line", ["noughts resgn", "set alice alice-pw digset yes"])
def test_words_like_a_misspelt_one_are_looked_for_only_if_somebody_is_told(line: str) -> None:
    assert calls_of(near, lambda: read_in_vain(line)) == 0
