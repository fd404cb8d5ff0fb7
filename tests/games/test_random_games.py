"""Whole random games, which a game plays on figures of its own: they are games by the contract.

A row of SETUPS has, beside the game, the function that plays. It takes a state, a source of chance
and the most plies, and returns the moves in their order and who wins, or None.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from games.gonnect import random_game as gonnect
from games.olix import random_game as olix
from games.olix.positions import stones_left
from pbm.engine import AnyGame, Chance, RandomGames, Seat, Setup
from pbm.plugins import installed_games
from pbm.robots.tree import LONGEST, worths_of

Play = Callable[[Any, Chance, int], tuple[list[str], Seat | None]]

INSTALLED = installed_games()

SETUPS = [
    pytest.param(
        game, game.info.setup(options), play, id="-".join((game.info.key, *options.values()))
    )
    for game, options, play in [
        (INSTALLED.get("gonnect"), {"size": "5"}, gonnect.play_on),
        (INSTALLED.get("gonnect"), {"size": "7"}, gonnect.play_on),
        (INSTALLED.get("gonnect"), {"size": "7", "ko": "superko"}, gonnect.play_on),
        (INSTALLED.get("olix"), {}, olix.play_on),
    ]
]

COUNTED = {"stalemate", "equal"}
"""Ends of OLIX by a count whose result is certain; the random game goes on to the last stone."""

every_setup = pytest.mark.parametrize(("game", "setup", "play"), SETUPS)


def position(game: AnyGame, setup: Setup, chance: random.Random, most: int = 120) -> Any:
    """Return a position after up to `most` legal turns, of which none has ended the game.

    The last move of the list comes often: in OLIX it is the offer to count.
    """
    state = game.start(setup)
    for _ in range(chance.randrange(most)):
        seat = game.to_move(state)[0]
        moves = tuple(game.legal_moves(state, seat))
        move = moves[-1] if chance.random() < 0.1 else chance.choice(moves)
        after = game.play(state, seat, move)
        state = after if game.to_move(after) else state
    return state


def replay(game: AnyGame, state: Any, moves: list[str]) -> tuple[Any, tuple[set[str], ...], int]:
    """Return the last position, what each seat played, and how many of the `moves` it took."""
    played: tuple[set[str], ...] = tuple(set() for _ in game.info.seats)
    for count, notation in enumerate(moves):
        if not game.to_move(state):
            return state, played, count
        seat = game.to_move(state)[0]
        legal = {str(move): move for move in game.legal_moves(state, seat)}
        played[seat].add(notation)
        state = game.play(state, seat, legal[notation])
    return state, played, len(moves)


def turn_of(game: AnyGame, state: Any, chance: random.Random) -> str:
    """Return a random legal turn, but none that random games leave out if there is another."""
    seat = game.to_move(state)[0]
    legal = list(game.legal_moves(state, seat))
    spared = left_out(game, state, seat)
    return str(chance.choice([turn for turn in legal if turn not in spared] or legal))


def won_turn_by_turn(game: AnyGame, state: Any, chance: random.Random) -> bool:
    """Return whether seat 0 wins a game of such turns."""
    while game.to_move(state):
        state = game.play(state, game.to_move(state)[0], turn_of(game, state, chance))
    result = game.result(state)
    return result is not None and result.winners == (0,)


def left_out(game: AnyGame, state: Any, seat: int) -> set[str]:
    """Return the turns that random games are spared: own eyes, and the offer to count."""
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


@every_setup
def test_a_random_game_can_be_played_by_the_contract_and_has_the_same_winner(
    game: AnyGame, setup: Setup, play: Play
) -> None:
    assert isinstance(game, RandomGames), "it helps"
    chance = random.Random(1)
    for seed in range(28):
        longest = LONGEST if seed % 4 else 25
        state = position(game, setup, chance)
        moves, winner = play(state, random.Random(seed), longest)
        tried = game.random_game(state, random.Random(seed), longest)
        end, played, count = replay(game, state, moves)
        result = game.result(end)
        assert (result.winners if result else ()) == (() if winner is None else (winner,))
        assert result or len(moves) == longest
        assert tried.worths == worths_of(result, len(game.info.seats))
        if result and result.reason in COUNTED:
            assert all(one <= other for one, other in zip(played, tried.played, strict=True))
        else:
            assert played == tried.played
            assert count == len(moves)


@every_setup
def test_the_first_turn_is_any_that_is_not_left_out_on_purpose(
    game: AnyGame, setup: Setup, play: Play
) -> None:
    chance = random.Random(2)
    for _ in range(6):
        state = position(game, setup, chance)
        seat = game.to_move(state)[0]
        draws = 40 * len(list(game.legal_moves(state, seat)))
        first = Counter(play(state, chance, 1)[0][0] for _ in range(draws))
        turns = Counter(str(turn_of(game, state, chance)) for _ in range(draws))
        assert first.keys() == turns.keys()
        assert (first - turns).total() < 0.2 * draws


@every_setup
def test_games_are_won_as_often_as_turn_by_turn(game: AnyGame, setup: Setup, play: Play) -> None:
    chance, games = random.Random(3), 200
    for _ in range(2):
        state = position(game, setup, chance, most=40)
        won = sum(play(state, chance, LONGEST)[1] == 0 for _ in range(games))
        expected = sum(won_turn_by_turn(game, state, chance) for _ in range(games))
        assert abs(won - expected) < 0.15 * games  # Three standard deviations.


@every_setup
def test_after_so_many_plies_a_game_is_a_draw(game: AnyGame, setup: Setup, play: Play) -> None:
    assert isinstance(game, RandomGames)
    state = game.start(setup)
    for longest in (1, 2, 9):
        assert len(play(state, random.Random(4), longest)[0]) == longest
        tried = game.random_game(state, random.Random(4), longest)
        assert tried.worths == (0.5, 0.5)
        assert sum(map(len, tried.played)) == longest


@every_setup
def test_the_same_seed_plays_the_same_game(game: AnyGame, setup: Setup, play: Play) -> None:
    state = game.start(setup)
    one, same, other = (play(state, random.Random(seed), LONGEST) for seed in (5, 5, 6))
    assert one == same
    assert one != other


def test_who_has_no_stone_left_in_olix_accepts_the_offer_to_count() -> None:
    game, chance = installed_games().get("olix"), random.Random(7)
    state = game.play(game.start(game.info.setup()), 0, "a1")
    state = game.play(state, 1, "count")
    while stones_left(state, 0) or state.turn == 0:
        move = turn_of(game, state, chance)
        after = game.play(state, state.turn, move)
        state = after if game.to_move(after) else state
    state = game.play(state, 1, "count")
    moves, winner = olix.play_on(state, chance, LONGEST)
    end, _, _ = replay(game, state, moves)
    assert moves == ["count"]
    assert end.reason == "agreed"
    assert end.winner == winner
