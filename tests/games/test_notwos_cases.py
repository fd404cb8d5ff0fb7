"""NOTWO'S agrees with the recorded games and positions of a brute-force reference."""

from typing import Any

from games.notwos import game
from games.notwos.board import CELL, NAMES
from games.notwos.turns import State, heights, stock, threatened
from tests.games.recorded import read
from tests.tables import each

SEAT_OF_SIDE = {"first": 0, "second": 1}


def named_heights(state: State) -> dict[str, int]:
    return {NAMES[cell]: height for cell, height in heights(state).items()}


def begin(record: dict[str, Any]) -> State:
    """The position after the opening and the choice; seat 0 placed, seat 1 chose."""
    state = game.start(game.info.setup())
    state = game.play(state, 0, game.parse(state, 0, ",".join(record["setup"])))
    return game.play(state, 1, game.parse(state, 1, record["chooser_takes"]))


def agree_on_the_end(state: State, record: dict[str, Any]) -> None:
    result = game.result(state)
    if record["winner"] is None:
        assert record["end"].startswith("cut off")
        assert result is None
        return
    assert result is not None
    assert result.reason == record["end"]
    assert [game.sides(state)[seat].lower() for seat in result.winners] == [record["winner"]]


def test_every_recorded_game_has_the_same_turns_threats_stock_and_end() -> None:
    games = read("notwos_games.json.gz")["games"]
    assert len(games) == 100
    for record in games:
        state = begin(record)
        for turn, threat, in_stock, legal in record["plies"]:
            (seat,) = game.to_move(state)
            # The same order too: drops, builds, distributions, each by their cells.
            assert list(game.legal_moves(state, seat)) == legal
            assert threatened(state) == threat
            assert stock(state) == in_stock
            state = game.play(state, seat, game.parse(state, seat, turn))
        assert named_heights(state) == record["final"]
        agree_on_the_end(state, record)


def examples() -> list[dict[str, Any]]:
    return list(read("notwos_examples.json")["examples"])


def position(example: dict[str, Any]) -> State:
    stones = sum(1 << CELL[name] for name in example["stones"])
    stacks = tuple(sorted((CELL[name], height) for name, height in example["stacks"].items()))
    return State(stones, stacks, SEAT_OF_SIDE[example["to_move"]], first=0)


@each("example", examples(), ids=lambda example: example["name"])
def test_every_recorded_position_has_the_same_turns(example: dict[str, Any]) -> None:
    state = position(example)
    legal = list(game.legal_moves(state, state.turn))
    assert threatened(state) == example["threat"]
    assert set(example["must_be_legal"]) <= set(legal)
    assert not set(example["must_be_illegal"]) & set(legal)
    assert [turn for turn in legal if ">" in turn] == example["builds"]
    assert [turn for turn in legal if "-" in turn] == example["distributions"]
    assert len([turn for turn in legal if len(turn) == 2]) == example["drops"]


@each("example", [e for e in examples() if "do" in e], ids=lambda example: example["name"])
def test_every_turn_of_a_recorded_position_does_the_same(example: dict[str, Any]) -> None:
    state = position(example)
    after = game.play(state, state.turn, example["do"])
    assert named_heights(after) == example["after"]
    assert stock(after) == example["stock_after"]
    result = game.result(after)
    winner = game.sides(after)[result.winners[0]].lower() if result else None
    assert winner == example["winner"]
