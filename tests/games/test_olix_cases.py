"""OLIX agrees with the recorded games and positions of a brute-force reference."""

from typing import Any

from games.olix import game
from games.olix.patterns import CELL, PATTERNS, SIZE, WINNING, Values, best_values, points
from games.olix.positions import State, stones_left
from tests.games.recorded import read
from tests.tables import each


def stones(board: list[str], sign: str) -> int:
    """The cells of one sign on a recorded board, whose first line is row 11."""
    return sum(
        1 << CELL[f"{letter}{SIZE - y}"]
        for y, row in enumerate(board)
        for letter, found in zip("abcdefghijk", row, strict=True)
        if found == sign
    )


def agree_on_values(case: dict[str, Any]) -> None:
    values = tuple(best_values(stones(case["board"], sign)) for sign in "xo")
    for sign, best in zip("xo", values, strict=True):
        assert dict(zip(PATTERNS, best, strict=True)) == case[sign]
        winning = zip(PATTERNS, best, WINNING, strict=True)
        assert [p for p, value, enough in winning if value >= enough] == case[f"{sign}_auto"]
    assert list(points((values[0], values[1]))) == case["count_shared"]


def test_every_recorded_position_has_the_same_values_wins_and_points() -> None:
    cases = read("olix_positions.json.gz")["positions"]
    assert len(cases) == 166
    for case in cases:
        agree_on_values(case)


def examples() -> list[dict[str, Any]]:
    return list(read("olix_examples.json")["examples"])


@each("example", examples(), ids=lambda example: example["name"])
def test_every_recorded_example_has_the_same_values_wins_and_points(
    example: dict[str, Any],
) -> None:
    agree_on_values(example)


def play(record: dict[str, Any]) -> State:
    """Play a recorded game to its end and compare the mover's values at each ply.

    The reference plays on to the hundredth stone where nobody wins at once. Here the game may
    end sooner, when nothing can be raised any more: then the values must stay the same.
    """
    state = game.start(game.info.setup())
    final: list[Values] = [(0, 0, 0, 0), (0, 0, 0, 0)]
    for ply, move in enumerate(record["moves"]):
        seat = ply % 2
        final[seat] = tuple(record["mover_maxima_OLIX"][ply])
        if state.reason is None:
            state = game.play(state, seat, game.parse(state, seat, move))
            assert state.values[seat] == final[seat]
    assert list(state.values) == final
    return state


def test_every_recorded_game_has_the_same_values_and_the_same_end() -> None:
    games = read("olix_games.json.gz")["games"]
    assert len(games) == 20
    for record in games:
        state = play(record)
        result = game.result(state)
        assert result is not None
        assert ["xo"[seat] for seat in result.winners] == [record["winner"]]
        if record["end"] == "pattern":
            assert result.reason == record["patterns"][0].lower()
            continue
        assert record["end"] == "count"
        assert result.scores == tuple(record["count_shared"])
        used_up = not stones_left(state, 0) and not stones_left(state, 1)
        assert result.reason == ("stones_used" if used_up else "stalemate")
