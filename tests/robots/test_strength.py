"""The table of strength: its contests, its riddles, and that it says the same however it is run."""

import json
from dataclasses import replace

import pytest

from bench import games
from bench.__main__ import main
from bench.games import ROWS, Forced, board_of, contests_of, forced_wins, won
from bench.report import BenchError, Plan
from pbm.engine import AnyGame
from pbm.plugins import installed_games
from pbm.robots.levels import LEVELS
from tests.robots.brute import GAMES, forces, moves
from tests.robots.forced import line_of

INSTALLED = list(installed_games())

every_installed_game = pytest.mark.parametrize("game", INSTALLED, ids=lambda game: game.info.key)


@every_installed_game
def test_each_game_has_ten_forced_wins_that_few_first_moves_bring(game: AnyGame) -> None:
    forced = list(forced_wins(game))
    assert len(forced) == 10
    assert {riddle.turns for riddle in forced} <= {2, 3}
    for riddle in forced:
        state = riddle.position(game).state
        legal = [str(move) for move in moves(game, state)]
        assert set(riddle.wins) < set(legal)
        assert len(riddle.wins) <= len(legal) / 5


@every_installed_game
def test_a_win_is_forced_as_soon_as_told_and_by_those_moves_alone(game: AnyGame) -> None:
    riddle = min(forced_wins(game), key=lambda each: len(moves(game, each.position(game).state)))
    state = riddle.position(game).state
    legal = moves(game, state)
    assert not any(forces(game, state, move, riddle.turns - 1) for move in legal)
    winning = {str(move) for move in legal if forces(game, state, move, riddle.turns)}
    assert winning == set(riddle.wins)


@every_installed_game
def test_a_search_with_a_fifth_of_the_playouts_of_level_4_finds_a_forced_win(game: AnyGame) -> None:
    weaker = replace(LEVELS[3], playouts=400)
    (contest, _) = contests_of(game, ("forced",), 2)
    assert contest.level == LEVELS[3]
    contest = replace(contest, level=weaker)
    assert [won(contest, number) for number in range(2)] == [1, 1]


def test_a_riddle_is_read_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    riddle = Forced(2, ("b2", "c3"), {"size": "5"}, ("a1", "a2"))
    assert line_of(riddle) == "in 2 by b2 c3 with size=5: a1 a2"
    monkeypatch.setattr(games, "_text", lambda *_: f"# a comment\n{line_of(riddle)}\n")
    assert list(forced_wins(GAMES["noughts"])) == [riddle]


def test_each_game_has_the_whole_ladder_and_riddles_for_two_levels() -> None:
    rows = {game.info.key: [each.row for each in contests_of(game, (), None)] for game in INSTALLED}
    assert all(names == [*ROWS, "forced"] for names in rows.values())


def test_a_game_without_a_word_on_strength_is_played_on_its_usual_board_without_riddles() -> None:
    noughts = GAMES["noughts"]
    assert board_of(noughts) == {}
    assert [each.row for each in contests_of(noughts, ("forced", "level2"), 3)] == ["level2"]


def test_the_table_is_the_same_in_one_process_and_in_two() -> None:
    plan = Plan((GAMES["noughts"],), rows=("level2",), matches=4, workers=1)
    rows = games.robots(plan)
    assert [(row["level"], row["other"]) for row in rows] == [("level2", "level1")]
    assert all(row["games"] == 4 and row["low"] <= row["share"] <= row["high"] for row in rows)
    assert games.robots(replace(plan, workers=2)) == rows


def test_the_command_prints_the_table_with_aims(capsys: pytest.CaptureFixture[str]) -> None:
    row = ("--game", "gonnect", "--row", "level2", "--games-played", "1", "--workers", "1")
    with pytest.raises(SystemExit) as ended:
        main(["robots", *row, "--json"])
    assert not ended.value.code
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    (found,) = part["rows"]
    assert (found["game"], found["level"], found["games"]) == ("gonnect", "level2", 1)
    assert found["aim"] == 0.65


def test_a_line_that_is_no_riddle_is_named_with_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    gonnect = installed_games().get("gonnect")
    monkeypatch.setattr(games, "_text", lambda *_: "in two by luck\n")
    with pytest.raises(BenchError, match=r"forced.txt of Gonnect has a line that is none"):
        list(forced_wins(gonnect))
