"""NOTWO'S: its sheet of rulings, recorded games and recorded positions."""

import pytest

from games.notwos import game
from games.notwos.board import CELL, NAMES
from games.notwos.turns import State, heights, stock, threatened
from pbm.engine import IncompleteMoveError
from tests.games.sheets import recorded, wrong_lines

SIDES = ("first", "second")


def at(words: str) -> State:
    """Return the position in the words of sheets/notwos.txt."""
    stones, *notes = words.split("; ")
    tall = [stack.split("*") for stack in stones.split() if "*" in stack]
    stacks = tuple(sorted((CELL[name], int(height)) for name, height in tall))
    singles = sum(1 << CELL[name] for name in stones.split() if "*" not in name)
    return State(singles, stacks, int("second" in notes), int("chooser" in notes))


def named(state: State) -> dict[str, int]:
    return {NAMES[cell]: height for cell, height in heights(state).items()}


def winner(state: State) -> str | None:
    result = game.result(state)
    return game.sides(state)[result.winners[0]].lower() if result and result.winners else None


def test_every_ruling_and_refusal_is_as_the_sheet_says() -> None:
    assert wrong_lines(game, at) == ""


def test_one_opening_stone_is_answered_with_all_that_can_go_with_it() -> None:
    start = game.start(game.info.setup())
    with pytest.raises(IncompleteMoveError) as refused:
        game.parse(start, 0, "b3")
    assert set(refused.value.candidates) == {t for t in game.legal_moves(start, 0) if "b3" in t}
    # Those that begin as the player began come first.
    assert refused.value.candidates[:2] == ("b3,b4", "b3,b5")


def test_every_recorded_game_has_the_same_turns_threats_stock_and_end() -> None:
    for record in recorded("notwos_games.json.gz")["games"]:
        state = game.start(game.info.setup())
        for seat, text in enumerate((",".join(record["setup"]), record["chooser_takes"])):
            state = game.play(state, seat, game.parse(state, seat, text))
        for turn, threat, in_stock, legal in record["plies"]:
            (seat,) = game.to_move(state)
            # The same order too: drops, builds, distributions, each by their cells.
            assert list(game.legal_moves(state, seat)) == legal
            assert threatened(state) == threat
            assert stock(state) == in_stock
            state = game.play(state, seat, game.parse(state, seat, turn))
        assert named(state) == record["final"]
        assert winner(state) == record["winner"]
        cut_off = record["end"].startswith("cut off")
        assert state.reason == (None if cut_off else record["end"])


def test_every_recorded_position_has_the_same_turns_and_outcome() -> None:
    for example in recorded("notwos_examples.json")["examples"]:
        stacks = tuple(sorted((CELL[name], tall) for name, tall in example["stacks"].items()))
        stones = sum(1 << CELL[name] for name in example["stones"])
        state = State(stones, stacks, SIDES.index(example["to_move"]), first=0)
        legal = list(game.legal_moves(state, state.turn))
        assert threatened(state) == example["threat"], example["name"]
        assert set(example["must_be_legal"]) <= set(legal)
        assert not set(example["must_be_illegal"]) & set(legal)
        assert [turn for turn in legal if ">" in turn] == example["builds"]
        assert [turn for turn in legal if "-" in turn] == example["distributions"]
        assert len([turn for turn in legal if len(turn) == 2]) == example["drops"]
        if "do" in example:
            after = game.play(state, state.turn, example["do"])
            assert named(after) == example["after"], example["name"]
            assert stock(after) == example["stock_after"]
            assert winner(after) == example["winner"]
