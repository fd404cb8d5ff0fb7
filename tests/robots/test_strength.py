"""The table of strength: its contests, its riddles, and that it says the same however it is run."""

import json
from dataclasses import replace
from typing import Any

import pytest

from bench import robots
from bench.__main__ import main
from bench.report import BenchError, Plan
from bench.robots import ROWS, Task, contests_of, play
from bench.strengths import Forced, forced_wins, strength_of
from pbm.engine import AnyGame
from pbm.plugins import installed_games
from pbm.robots.levels import LEVELS
from tests.robots.brute import GAMES, forces, moves

INSTALLED = list(installed_games())

every_installed_game = pytest.mark.parametrize("game", INSTALLED, ids=lambda game: game.info.key)


@every_installed_game
def test_each_game_has_ten_forced_wins_that_few_first_moves_bring(game: AnyGame) -> None:
    forced = forced_wins(game)
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
    (contest,) = (each for each in contests_of(game, ("forced",), 2) if each.sides == (LEVELS[3],))
    contest = replace(contest, sides=(weaker,))
    assert [play(Task(contest, number)).won for number in range(2)] == [1, 1]


def test_a_riddle_is_written_as_it_is_read() -> None:
    gonnect = installed_games().get("gonnect")
    for riddle in forced_wins(gonnect):
        assert str(riddle).startswith(f"in {riddle.turns} by {riddle.wins[0]}")
        assert str(riddle).endswith(riddle.moves[-1])
    assert str(Forced(2, ("b2", "c3"), {"size": "5"}, ("a1", "a2"))) == (
        "in 2 by b2 c3 with size=5: a1 a2"
    )


def test_every_row_is_played_by_some_game_and_each_game_has_the_whole_ladder() -> None:
    rows = {game.info.key: [each.row for each in contests_of(game, (), None)] for game in INSTALLED}
    assert {row for each in rows.values() for row in each} == set(ROWS)
    for names in rows.values():
        assert names[:4] == ["level2", "level3", "level4", "level5"]


def test_a_game_without_a_word_on_strength_is_played_on_its_usual_board_without_riddles() -> None:
    noughts = GAMES["noughts"]
    assert strength_of(noughts).options == {}
    assert [each.row for each in contests_of(noughts, ("forced", "tenth", "glance"), 3)] == [
        "glance"
    ]


def table(plan: Plan) -> list[dict[str, Any]]:
    """Return the rows of a plan, without what the clock says."""
    rows = [dict(row) for row in robots.report(plan).rows]
    for row in rows:
        assert row.pop("cpu") > 0
    return rows


def test_the_table_is_the_same_in_one_process_and_in_two() -> None:
    plan = Plan((GAMES["noughts"],), rows=("level2",), matches=4, workers=1)
    rows = table(plan)
    assert [row["contest"] for row in rows] == ["level2 - level1"]
    assert all(row["games"] == 4 and row["low"] <= row["won"] <= row["high"] for row in rows)
    assert table(replace(plan, workers=2)) == rows


def test_the_command_prints_the_table_with_aims(capsys: pytest.CaptureFixture[str]) -> None:
    row = ("--game", "gonnect", "--row", "level2", "--games-played", "1", "--workers", "1")
    with pytest.raises(SystemExit) as ended:
        main(["robots", *row, "--json"])
    assert not ended.value.code
    (part,) = json.loads(capsys.readouterr().out)["parts"]
    (found,) = part["rows"]
    assert (found["game"], found["contest"], found["games"]) == ("gonnect", "level2 - level1", 1)
    assert found["aim"] == 0.65
    assert found["met"] == ("yes" if found["won"] >= 0.65 else "no")


def test_a_file_that_says_nothing_sensible_is_told_with_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gonnect = installed_games().get("gonnect")
    monkeypatch.setattr("bench.strengths._text", lambda *_: "in two by luck\n")
    with pytest.raises(BenchError, match=r"forced.txt of Gonnect has a line that is none"):
        forced_wins(gonnect)
    with pytest.raises(BenchError, match=r"strength.toml of Gonnect"):
        strength_of(gonnect)
