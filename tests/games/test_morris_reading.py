"""What players of Nine Men's Morris may type, what they are told, and what they are shown."""

import pytest

from games.morris import game
from games.morris.state import State
from pbm.engine import (
    IllegalMoveError,
    IncompleteMoveError,
    Mark,
    MarkKind,
    MoveError,
    MoveSyntaxError,
    Viewer,
    draw,
)
from tests.games.morris_boards import BLACK, after, at, legal
from tests.tables import each

START = game.start(game.info.setup())
PLACING = at("a1 d1", "a7 d7 g7 b6", hand=(7, 5))
SAFE = at("a1 d1", "a7 d7 g7", hand=(7, 6))
MOVING = at("a1 d1 g4 b6", "a7 d7 c3 e5")


def refusal(state: State, text: str) -> MoveError:
    with pytest.raises(MoveError) as caught:
        game.parse(state, state.mover, text)
    return caught.value


@each(
    ("state", "text", "turn"),
    [
        (PLACING, "C3", "c3"),
        (PLACING, " c 3. ", "c3"),
        (PLACING, "G1 x B6", "g1xb6"),
        (PLACING, "g1:b6", "g1xb6"),
        (PLACING, "G1 takes B6", "g1xb6"),
        (PLACING, "g1, and take b6", "g1xb6"),
        (PLACING, "g1\u00d7b6", "g1xb6"),
        (PLACING, "g1, b6", "g1xb6"),
        (PLACING, "g1, x b6!", "g1xb6"),
        (PLACING, "g1 b6", "g1xb6"),
        (SAFE, "g1 x", "g1"),
        (MOVING, "B6-B4", "b6-b4"),
        (MOVING, "b6\u2013b4", "b6-b4"),
        (MOVING, "b6 b4", "b6-b4"),
        (MOVING, "b6 > b4", "b6-b4"),
        (MOVING, "b6->b4", "b6-b4"),
        (MOVING, "b6 to b4", "b6-b4"),
        (MOVING, "b6, b4", "b6-b4"),
        (MOVING, "g4-g1 x a7", "g4-g1xa7"),
        (MOVING, "g4 g1 a7", "g4-g1xa7"),
        (MOVING, "g4-g1, a7", "g4-g1xa7"),
        (MOVING, "\uff274 to G1: A7", "g4-g1xa7"),
    ],
)
def test_a_turn_is_read_in_the_ways_people_write_it(state: State, text: str, turn: str) -> None:
    assert game.parse(state, state.mover, text) == turn


@each("state", [START, PLACING, SAFE, MOVING])
def test_every_legal_turn_is_read_back(state: State) -> None:
    assert [game.parse(state, state.mover, turn) for turn in legal(state)] == legal(state)


@each(
    ("state", "text", "candidates"),
    [
        (PLACING, "g1", ["g1xb6"]),
        (PLACING, "g1x", ["g1xb6"]),
        (MOVING, "g4-g1", ["g4-g1xa7", "g4-g1xc3", "g4-g1xd7", "g4-g1xe5"]),
        (MOVING, "b6", ["b6-b4", "b6-d6"]),
        (MOVING, "b6-", ["b6-b4", "b6-d6"]),
        (MOVING, "g7", ["g4-g7"]),
        (MOVING, "g1", ["d1-g1", "g4-g1xa7", "g4-g1xc3", "g4-g1xd7", "g4-g1xe5"]),
    ],
)
def test_a_turn_with_a_part_left_out_lists_all_that_complete_it(
    state: State, text: str, candidates: list[str]
) -> None:
    error = refusal(state, text)
    assert isinstance(error, IncompleteMoveError)
    assert list(error.candidates) == candidates
    assert all(candidate in str(error) for candidate in candidates)


@each(
    ("state", "text", "words"),
    [
        (PLACING, "a1", "a1 is occupied: you have a stone there, and you still have 7 stones"),
        (PLACING, "a7", "a7 is occupied: Black has a stone there"),
        (
            PLACING,
            "d4",
            "no point d4 on this board; column d has d1, d2, d3, d5, d6 and d7.",
        ),
        (PLACING, "a2", "column a has a1, a4 and a7."),
        (PLACING, "h1", "the columns are a to g, the rows 1 to 7."),
        (PLACING, "a1-a4", "stones move only when all are placed"),
        (PLACING, "c3xb6", "c3 closes no mill, so it takes no stone."),
        (PLACING, "c3x", "c3 closes no mill"),
        (PLACING, "g1xa7", "a7 is in a mill and may not be taken; g1 can take b6."),
        (PLACING, "g1xc3", "Black has no stone on c3"),
        (PLACING, "g1xa1", "Black has no stone on a1"),
        (SAFE, "g1xa7", "All stones of Black are in mills"),
        (MOVING, "a7-a4", "You have no stone on a7; Black has one."),
        (MOVING, "d5-d6", "You have no stone on d5; it is free."),
        (MOVING, "a1-d1", "d1 is occupied: you have a stone there."),
        (MOVING, "a1-g7", "from there a stone goes to a4 or d1."),
        (MOVING, "a1-g7", "jump when you have three stones left, and you have 4."),
        (MOVING, "g4-g1xg7", "Black has no stone on g7"),
        (MOVING, "g1xa7", "a turn begins with the stone that moves"),
        (MOVING, "a7", "a7 is occupied: Black has a stone there."),
        (MOVING, "d5", "None of your stones can reach d5 in one move."),
        (at("a1 g1 a7 g4", "d1 a4 g7 d7"), "a1", "Your stone on a1 cannot move"),
    ],
)
def test_a_forbidden_turn_is_told_which_rule_forbids_it(
    state: State, text: str, words: str
) -> None:
    error = refusal(state, text)
    assert isinstance(error, IllegalMoveError)
    assert words in str(error)


@each(
    ("text", "words"),
    [
        ("hello", "cannot be read as a turn; d1 places a stone"),
        ("g1xb6xa7", "a turn takes one stone, even if it closes two mills"),
        ("g1xb6,a7", "a turn takes one stone, even if it closes two mills"),
        ("", "No move was given"),
    ],
)
def test_what_cannot_be_read_is_answered_by_how_to_write(text: str, words: str) -> None:
    error = refusal(PLACING, text)
    assert isinstance(error, MoveSyntaxError)
    assert words in str(error)


def test_a_turn_out_of_turn_or_after_the_end_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match="not Black's turn"):
        game.parse(START, BLACK, "d1")
    over = after(at("a1 d1 g4 b6", "a7 d7 c3"), "g4-g1xa7")
    with pytest.raises(IllegalMoveError, match="over"):
        game.parse(over, BLACK, "c3-d3")


def test_a_huge_text_is_refused_in_one_short_sentence() -> None:
    for text in ("d1" * 5000, "d" + "1" * 9999, "d1" + "," * 300 + "?"):
        assert len(str(refusal(START, text))) < 300


START_PICTURE = """\
         A   B   C   D   E   F   G
      1  +-----------+-----------+  1
         |           |           |
      2  |   +-------+-------+   |  2
         |   |       |       |   |
      3  |   |   +---+---+   |   |  3
         |   |   |       |   |   |
      4  +---+---+       +---+---+  4
         |   |   |       |   |   |
      5  |   |   +---+---+   |   |  5
         |   |       |       |   |
      6  |   +-------+-------+   |  6
         |           |           |
      7  +-----------+-----------+  7
         A   B   C   D   E   F   G

      White o: 9 in hand, 0 on board
      Black x: 9 in hand, 0 on board"""


def test_the_empty_board_looks_like_the_original_server_s_page() -> None:
    assert draw(game.diagram(START, Viewer())) == START_PICTURE


def test_a_moved_stone_is_marked_where_it_came_from_and_where_it_went() -> None:
    drawn = draw(game.diagram(after(MOVING, "g4-g1xa7"), Viewer())).split("\n")
    assert drawn[1] == "      1  o-----------o----------(o) 1"
    assert drawn[7] == "      4  +---+---+       +---+--(+) 4"
    assert drawn[-1] == "      Black x: 0 in hand, 3 on board"


def test_a_taken_stone_is_marked_as_captured() -> None:
    marks = game.diagram(after(MOVING, "g4-g1xa7"), Viewer()).marks
    assert Mark("a7", MarkKind.CAPTURED) in marks


def winning(state: State) -> set[str]:
    marks = game.diagram(state, Viewer()).marks
    return {mark.at for mark in marks if mark.kind is MarkKind.WINNING}


def test_the_last_mill_is_marked_as_what_won() -> None:
    over = after(at("a1 d1 g4 g7", "a7 d7 c3"), "g4-g1xa7")
    assert winning(over) == {"a1", "d1", "g1"}
    assert winning(after(MOVING, "g4-g1xa7")) == set()


def test_the_stones_that_are_shut_in_are_marked_as_what_decided() -> None:
    over = after(at("a1 g1 a7 g7", "d1 a4 g4 d6", mover=BLACK), "d6-d7")
    assert winning(over) == {"a1", "g1", "a7", "g7"}


def test_the_picture_is_as_wide_at_the_end_as_at_the_start() -> None:
    over = after(at("a1 d1 g4 g7", "a7 d7 c3"), "g4-g1xa7")
    widths = {max(map(len, draw(game.diagram(s, Viewer())).split("\n"))) for s in (START, over)}
    assert widths == {37}
