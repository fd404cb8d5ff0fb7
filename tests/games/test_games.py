"""Every installed game keeps the laws of the contract, and answers the same slip alike."""

import re
from pathlib import Path
from typing import Any

import pytest

from pbm.engine import (
    AnyGame,
    MoveError,
    advance,
    any_of,
    begin,
    deal,
    parse_transcript,
    perft,
    play_transcript,
)
from pbm.engine.conformance import check
from pbm.engine.laws import folder_of
from pbm.plugins import help_text, installed_games
from tests.readings import answers

every_game = pytest.mark.parametrize(
    "game", list(installed_games()), ids=lambda game: game.info.key
)

EXAMPLE = re.compile(r"^```transcript\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.slow
@every_game
def test_a_game_keeps_every_law(game: AnyGame) -> None:
    check(game, matches=12 if game.info.options else 4)  # more of them vary the options


def counts(words: str, depth: str, moves: str = "") -> str:
    """Return the number of lines of play of each depth after the moves."""
    key, *options = words.split()
    game = installed_games().get(key)
    position = begin(game, game.info.setup(dict(pair.split("=") for pair in options)))
    for move in moves.split():
        position, _ = advance(game, position, game.to_move(position.state)[0], move)
    return " ".join(str(perft(game, position.state, plies + 1)) for plies in range(int(depth)))


@pytest.mark.slow
def test_lines_of_play_are_as_many_as_the_table_says() -> None:
    table = Path(__file__).with_name("perft.txt").read_text("ascii")
    assert answers(table, counts) == table


@every_game
def test_a_help_page_shows_every_option_as_it_is_typed_and_examples_that_play(
    game: AnyGame,
) -> None:
    examples = EXAMPLE.findall(help_text(game))
    assert examples, "a help page has a worked example"
    for example in examples:
        play_transcript(game, parse_transcript(example))
    page = help_text(game).lower()
    for option in game.info.options:
        assert f"-{option.name}=" in page
        assert not re.search(rf"(?<!-){option.name}=", EXAMPLE.sub("", page))
    assert "on this server" in page


def test_options_are_those_of_the_rulings_with_the_defaults_in_front() -> None:
    found = {
        f"{game.info.key} {option.name}": " ".join((option.default, *option.choices))
        for game in installed_games()
        for option in game.info.options
    }
    assert found == {
        "amazons size": "10 6 10",
        "darkhex size": " ".join(["7", *map(str, range(5, 12))]),
        "go size": "13 9 13 19",
        "go handicap": " ".join(["0", "0", *map(str, range(2, 10))]),
        "gonnect size": " ".join(["13", *map(str, range(5, 20))]),
        "gonnect ko": "simple simple superko",
        "havannah size": " ".join(["8", *map(str, range(4, 11))]),
        "hex size": " ".join(["11", *map(str, range(5, 15))]),
        "morris take": "strict strict any",
        "pow2 exact": "no no yes",
        "pow2 noborder": "no no yes",
        "ygame size": " ".join(["13", *map(str, range(5, 20))]),
    }


SLIPS = {
    "amazons": ("d1-d7/g7 g10-g8/c8", "k3", "A", "4"),
    "breakthrough": ("d2-d3 e7-e6", "i3", "C", "2"),
    "chess": ("e2-e4 d7-d5", "i3", "E", "2"),
    "darkhex": ("c3 d4", "h3", "C", "1"),
    "draughts": ("c3-d4 d6-e5", "i3", "E", "3"),
    "einstein": ("a5-b5 e1-d1", "f3", "B", "5"),
    "go": ("C4 K10", "I4", "C", "7"),
    "gonnect": ("G7 swap", "O3", "G", "7"),
    "havannah": ("c3 swap", "i1", "C", "1"),
    "hex": ("c3 swap", "m3", "C", "1"),
    "loa": ("b1-b3 a4-c6", "i3", "C", "1"),
    "morris": ("d2 d6", "d4", "A", "1"),
    "notwos": ("b3,e5 first", "i3", "C", "1"),
    "olix": ("f6 g7", "l3", "K", "11"),
    "reversi": ("d3 c3", "i3", "C", "5"),
    "ygame": ("c3 swap", "c12", "C", "1"),
    "pow2": ("m13-j7 a1-d7", "m1-d3", "J", "7"),
}
"""Two turns after which each game is in its usual phase, a point off the board, half a name."""


def opened(game: AnyGame) -> Any:
    position = begin(game, deal(game, game.info.setup(), any_of))
    for text in SLIPS[game.info.key][0].split():
        position, _ = advance(game, position, game.to_move(position.state)[0], text, any_of)
    return position


def refusal(game: AnyGame, position: Any, text: str, other: int = 0) -> MoveError:
    seat = (game.to_move(position.state) or (0,))[0]
    with pytest.raises(MoveError) as refused:
        advance(game, position, (seat + other) % 2, text)
    return refused.value


@every_game
def test_the_same_slip_is_answered_in_the_same_way(game: AnyGame) -> None:
    _, off, letter, number = SLIPS[game.info.key]
    title, pie = game.info.title, game.info.swap_after is not None
    swap = "swap is possible once" if pie else f"{title} has no pie rule."
    no_passing = f"There is no passing in {title}; the side to move must play."
    rows = [
        (off, "illegal", f" {off.rpartition('-')[2]} on this board; "),
        (off, "illegal", "There is no "),
        (letter, "incomplete", f'"{letter}" is only a part of a move: '),
        (number, "incomplete", f'"{number}" is only a part of a move: '),
        *((text, "illegal", swap) for text in ("swap", "Swap!", "pie")),
        *((text, "syntax", "one looks like") for text in ("", " . ", "?" * 500, "x" * 10_000)),
        *((text, "syntax", "one looks like") for text in (f"{off}-" * 2_500, "-" * 10_000)),
        ("Hello  there", "syntax", '"Hello there"'),
        ("\u201cWhat?\u201d", "syntax", '"\u201cWhat?\u201d"'),
    ]
    state, passes = opened(game).state, ("pass", "Pass.", "I pass", "PASS")
    seat = game.to_move(state)[0]
    if "pass" in game.legal_moves(state, seat):
        assert {game.parse(state, seat, text) for text in passes} == {"pass"}
    else:
        rows += [(text, "illegal", no_passing) for text in passes]
    for text, kind, words in rows:
        error = refusal(game, opened(game), text)
        assert (error.kind, words in str(error)) == (kind, True), f"{text[:20]}: {error}"
        assert len(str(error)) < 300


@every_game
def test_half_a_name_lists_whole_moves(game: AnyGame) -> None:
    for half in SLIPS[game.info.key][2:]:
        error = refusal(game, opened(game), half)
        starts = {re.split("[-:,>x]", move.lower())[0] for move in error.candidates}
        assert starts
        assert all(half.lower() in (point[0], point[1:]) for point in starts)


@every_game
def test_nobody_moves_out_of_turn_or_after_the_end(game: AnyGame) -> None:
    position = opened(game)
    seat = game.to_move(position.state)[0]
    move = str(next(iter(game.legal_moves(position.state, seat))))
    idle = game.sides(position.state)[1 - seat]
    assert str(refusal(game, position, move, other=1)) == f"It is not {idle}'s turn."
    assert list(game.legal_moves(position.state, 1 - seat)) == []
    files = (folder_of(game) / "playthroughs").iterdir()
    stories = [parse_transcript(file.read_text("utf-8")) for file in files]
    for story in stories:
        over = play_transcript(game, story)
        if not game.to_move(over.state):
            error = refusal(game, over, move)
            assert (error.kind, str(error)) == ("illegal", "The game is over.")


@every_game
def test_a_full_stop_behind_a_move_and_arrows_in_it_are_read(game: AnyGame) -> None:
    state = opened(game).state
    seat = game.to_move(state)[0]
    moves = [str(move) for move in game.legal_moves(state, seat)]
    for text in (f"{moves[0]}.", f"{moves[0]} !", f"{moves[0].upper()},"):
        assert game.parse(state, seat, text) == moves[0]
    for move in [move for move in moves if "-" in move][:5]:
        for arrow in ("\u2192", "->", "=>", "\u2013", " \u27a1\ufe0f "):
            assert game.parse(state, seat, move.replace("-", arrow)) == move
