"""The Power of Two agrees with the recorded games and examples of a brute-force reference."""

import hashlib
from typing import Any

import pytest

from games.pow2 import game
from games.pow2.position import SIDES, State
from tests.games.pow2_boards import at, legal, standing
from tests.games.recorded import read


def seat_of(side: str | None) -> tuple[int, ...] | None:
    return None if side is None else (SIDES.index(side.capitalize()),)


def winners(state: State) -> tuple[int, ...] | None:
    result = game.result(state)
    return result.winners if result else None


def replay(record: dict[str, Any]) -> State:
    """Play a recorded game and return its last position; each legal set must be the same."""
    yes = {name: "yes" if record[name] else "no" for name in ("exact", "noborder")}
    state = game.start(game.info.setup(yes))
    for move, count, digest, expected in record["plies"]:
        turns = legal(state)
        assert turns == expected
        assert len(turns) == count
        assert hashlib.sha1(" ".join(turns).encode()).hexdigest()[:12] == digest
        state = game.play(state, state.seat, move)
    return state


@pytest.mark.parametrize("name", ["pow2_games.json.gz", "pow2_games_options.json.gz"])
def test_every_ply_of_the_recorded_games_has_the_same_legal_turns_and_end(name: str) -> None:
    records = read(name)["games"]
    for record in records:
        state = replay(record)
        result = game.result(state)
        assert result
        assert result.winners == seat_of(record["winner"])
        assert result.reason == record["end"]
        assert standing(state) == record["final"]
    assert {record["end"] for record in records} == {"all_16", "no_move"}


def test_the_recorded_examples_have_the_same_turns_and_the_same_outcome() -> None:
    for example in read("pow2_examples.json")["examples"]:
        state = position(example)
        start, _, target = example["query"].partition("-")
        turns = [t for t in legal(state) if t.startswith(f"{start}-")]
        if target != "*":
            turns = [t for t in turns if t.split(":")[0] == example["query"]]
        # These lists are sorted as texts; the games' lists are in the order of notation.
        assert sorted(turns) == sorted(example["legal"]), example["name"]
        if "do" in example:
            mover = state.seat
            state = game.play(state, mover, game.parse(state, mover, example["do"]))
            assert standing(state) == example["after"], example["name"]
            assert state.supply(mover) == example["supply_after"], example["name"]
            assert winners(state) == seat_of(example["winner"]), example["name"]


def position(example: dict[str, Any]) -> State:
    """The position of an example, its pieces told as X, x, O and o by point."""
    sides = [
        " ".join(p.upper() if s.isupper() else p for p, s in example["pieces"].items() if s in own)
        for own in ("Oo", "Xx")
    ]
    mover = SIDES.index(example["to_move"].capitalize())
    return at(*sides, mover=mover, exact=example["exact"])
