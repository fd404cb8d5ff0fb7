"""The help that games give to playouts: a random turn without a list of all."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from pbm.engine import AnyGame, RandomTurns, Setup, random_turns
from pbm.plugins import installed_games

GAMES = installed_games()

OFTEN = 20_000
"""Draws after which a turn that never came is said not to come."""

SETUPS = [
    pytest.param(game, game.info.setup(options), id="-".join((game.info.key, *options.values())))
    for game, options in [
        (GAMES.get("gonnect"), {"size": "5"}),
        (GAMES.get("gonnect"), {"size": "5", "ko": "superko"}),
        (GAMES.get("morris"), {}),
        (GAMES.get("morris"), {"take": "any"}),
        (GAMES.get("notwos"), {}),
        (GAMES.get("olix"), {}),
        (GAMES.get("pow2"), {}),
        (GAMES.get("pow2"), {"exact": "yes", "noborder": "yes"}),
    ]
]

every_setup = pytest.mark.parametrize(("game", "setup"), SETUPS)


def positions(game: AnyGame, setup: Setup, chance: random.Random) -> Iterator[tuple[Any, int]]:
    """Yield the positions of a random game with the seat to move; any legal turn is played."""
    state = game.start(setup)
    while seats := game.to_move(state):
        yield state, seats[0]
        moves = tuple(game.legal_moves(state, seats[0]))
        state = game.play(state, seats[0], chance.choice(moves))


@every_setup
def test_a_random_turn_is_legal_in_every_position(game: AnyGame, setup: Setup) -> None:
    assert isinstance(game, RandomTurns), "it helps"
    chance = random.Random(1)
    for _ in range(3):
        for state, seat in positions(game, setup, chance):
            legal = set(game.legal_moves(state, seat))
            assert all(game.random_turn(state, seat, chance) in legal for _ in range(5))


@every_setup
def test_each_turn_that_is_not_left_out_on_purpose_can_come(game: AnyGame, setup: Setup) -> None:
    chance = random.Random(2)
    for state, seat in islice(positions(game, setup, chance), 3, None, 12):
        legal = set(game.legal_moves(state, seat))
        due = legal - left_out(game, state, seat)
        seen: set[Any] = set()
        for _ in range(OFTEN):
            seen.add(random_turns(game)(state, seat, chance))
            if seen >= due:
                break
        assert seen == (due or legal)


def left_out(game: AnyGame, state: Any, seat: int) -> set[str]:
    """Return the turns that playouts are spared: own eyes, and the offer to count."""
    if game.info.key == "olix":
        return {"count"}
    return eyes(state, seat) if game.info.key == "gonnect" else set()


def eyes(state: Any, seat: int) -> set[str]:
    """Return the empty points all of whose neighbours are stones that hang together around them."""
    names = state.board.names
    width, own = state.board.width, state.stones[seat]

    def at(place: int, step: int) -> str:
        """Return "own", "other" or "outside" for the point so many places on."""
        point = place + step
        if not (0 <= point < len(names) and names[point]):
            return "outside"
        return "own" if state.board.bits[names[point]] & own else "other"

    found = set()
    for place, name in enumerate(names):
        taken = state.stones[0] | state.stones[1]
        if not name or state.board.bits[name] & taken:
            continue
        beside = [at(place, step) for step in (-1, 1, -width, width)]
        slanted = [at(place, step) for step in (-width - 1, -width + 1, width - 1, width + 1)]
        in_the_open = "outside" not in slanted
        if "other" not in beside and slanted.count("other") <= in_the_open:
            found.add(name)
    return found


def test_a_game_that_does_not_help_is_played_by_its_list_of_moves() -> None:
    from tests.engine import noughts  # noqa: PLC0415 - a game of the engine's own tests

    game: AnyGame = noughts.game
    assert not isinstance(game, RandomTurns)
    state = game.start(game.info.setup())
    turn_of, chance = random_turns(game), random.Random(3)
    drawn = {turn_of(state, 0, chance) for _ in range(500)}
    assert drawn == set(game.legal_moves(state, 0))
