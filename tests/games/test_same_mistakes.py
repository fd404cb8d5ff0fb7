"""The same slip is told in the same way in every game, whatever its rules."""

import re

import pytest

from pbm.engine import AnyGame, MoveError, Position, advance, begin
from pbm.plugins import installed_games
from tests.tables import each

GAMES = list(installed_games())
OPENINGS = {
    "gonnect": ("G7", "swap"),
    "morris": ("d2", "d6"),
    "notwos": ("b3,e5", "first"),
    "olix": ("f6", "g7"),
    "pow2": ("m13-j7", "a1-d7"),
}
"""Two turns after which each game is in its usual phase."""

OFF_THE_BOARD = {"gonnect": "O3", "morris": "d4", "notwos": "i3", "olix": "l3", "pow2": "m1-d3"}
HALF = {"gonnect": "g", "morris": "a", "notwos": "c", "olix": "k", "pow2": "j"}
NUMBER = {"gonnect": "7", "morris": "1", "notwos": "1", "olix": "11", "pow2": "7"}

every_game = each("game", GAMES, ids=lambda game: game.info.key)


def opened(game: AnyGame) -> Position[object]:
    position = begin(game, game.info.setup())
    for text in OPENINGS[game.info.key]:
        position, _ = advance(game, position, game.to_move(position.state)[0], text)
    return position


def refusal(game: AnyGame, text: str) -> MoveError:
    position = opened(game)
    with pytest.raises(MoveError) as refused:
        advance(game, position, game.to_move(position.state)[0], text)
    return refused.value


@every_game
def test_a_point_off_the_board_is_illegal_and_named_with_what_there_is(game: AnyGame) -> None:
    text = OFF_THE_BOARD[game.info.key]
    error = refusal(game, text)
    assert error.kind == "illegal"
    assert str(error).startswith("There is no ")
    assert f" {text.rpartition('-')[2]} on this board; " in str(error)


@every_game
@each("part", [HALF, NUMBER])
def test_half_a_name_is_incomplete_and_lists_whole_moves(
    game: AnyGame, part: dict[str, str]
) -> None:
    text = part[game.info.key]
    error = refusal(game, text.upper())
    assert error.kind == "incomplete"
    assert str(error).startswith(f'"{text.upper()}" is only a part of a move: ')
    starts = {re.split("[-:,>x]", move.lower())[0] for move in error.candidates}
    assert all(text in (point[0], point[1:]) for point in starts)


@every_game
@each("text", ["pass", "Pass.", "I pass"])
def test_nobody_may_pass(game: AnyGame, text: str) -> None:
    error = refusal(game, text)
    assert error.kind == "illegal"
    title = game.info.title
    assert str(error) == f"There is no passing in {title}; the side to move must play."


@every_game
@each("text", ["swap", "Swap!", "pie"])
def test_a_swap_out_of_its_place_is_illegal(game: AnyGame, text: str) -> None:
    error = refusal(game, text)
    assert error.kind == "illegal"
    pie = game.info.swap_after is not None
    assert str(error).startswith("swap is possible once") or not pie
    assert str(error) == f"{game.info.title} has no pie rule." or pie


@every_game
@each("text", ["Hello  there", "\u201cWhat?\u201d"])
def test_what_is_no_move_is_quoted_as_it_was_typed(game: AnyGame, text: str) -> None:
    error = refusal(game, text)
    assert error.kind == "syntax"
    assert f'"{" ".join(text.split())}"' in str(error)


@every_game
@each("text", ["", " . ", "?" * 500])
def test_nothing_and_too_much_are_answered_by_an_example_that_is_a_move(
    game: AnyGame, text: str
) -> None:
    error = refusal(game, text)
    assert error.kind == "syntax"
    assert "one looks like" in str(error)


@every_game
def test_a_full_stop_behind_a_move_is_passed_over(game: AnyGame) -> None:
    position = opened(game)
    seat = game.to_move(position.state)[0]
    move = next(iter(game.legal_moves(position.state, seat)))
    for text in (f"{move}.", f"{move} !", f"{str(move).upper()},"):
        assert game.parse(position.state, seat, text) == move


@every_game
def test_arrows_are_read_where_a_move_goes_from_point_to_point(game: AnyGame) -> None:
    position = opened(game)
    seat = game.to_move(position.state)[0]
    slides = [str(m) for m in game.legal_moves(position.state, seat) if "-" in str(m)]
    for arrow in ("\u2192", "->", "=>", "\u2013", " \u27a1\ufe0f "):
        for move in slides[:5]:
            assert game.parse(position.state, seat, move.replace("-", arrow)) == move
