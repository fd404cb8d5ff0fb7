"""The random games that Morris, NOTWO'S and The Power of Two play on bare integers."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from games.morris import random_game as morris_games
from games.notwos import random_game as notwos_games
from games.pow2 import random_game as pow2_games
from games.pow2.board import NUMBER, point_set
from games.pow2.position import State as PowerState
from pbm.engine import AnyGame, RandomGames, Setup
from pbm.plugins import installed_games
from pbm.robots.tree import LONGEST, worths_of
from tests.games.morris_boards import BLACK, WHITE, at
from tests.tables import each

GAMES = installed_games()
INNER = {"morris": morris_games, "notwos": notwos_games, "pow2": pow2_games}

SETUPS = [
    pytest.param(GAMES.get(key), GAMES.get(key).info.setup(options), id="-".join((key, *options)))
    for key, options in [
        ("morris", {}),
        ("morris", {"take": "any"}),
        ("notwos", {}),
        ("pow2", {}),
        ("pow2", {"exact": "yes"}),
        ("pow2", {"noborder": "yes"}),
    ]
]

every_setup = pytest.mark.parametrize(("game", "setup"), SETUPS)


def positions(game: AnyGame, setup: Setup, games: int) -> Iterator[Any]:
    """Yield all positions of some games that are played by one random turn after the other."""
    chance = random.Random(1)
    for _ in range(games):
        state = game.start(setup)
        while due := game.to_move(state):
            yield state
            legal = tuple(game.legal_moves(state, due[0]))
            state = game.play(state, due[0], chance.choice(legal))


def replayed(game: AnyGame, state: Any, turns: list[str]) -> Any:
    """Return the position after these turns, each of which must be legal."""
    for turn in turns:
        (seat,) = game.to_move(state)
        assert turn in set(game.legal_moves(state, seat))
        state = game.play(state, seat, turn)
    return state


@every_setup
def test_each_turn_of_a_random_game_is_legal_and_it_ends_as_the_rules_say(
    game: AnyGame, setup: Setup
) -> None:
    chance, over = random.Random(2), 0
    for start in islice(positions(game, setup, 3), 0, None, 3):
        state = start
        while game.info.key == "notwos" and state.first is None:
            state = game.play(state, state.turn, next(game.legal_moves(state, state.turn)))
        turns, worth = INNER[game.info.key].played_out(state, chance, LONGEST)
        end = replayed(game, state, turns)
        if game.to_move(end):
            assert 0 < worth < 1, "it is estimated"
        else:
            over += 1
            assert worth == worths_of(game.result(end), 2)[0]
    assert over, "some games are played to the end"


@every_setup
def test_a_random_game_tells_for_each_seat_what_it_played(game: AnyGame, setup: Setup) -> None:
    assert isinstance(game, RandomGames), "it helps"
    chance, first = random.Random(3), set[str]()
    start = game.start(setup)
    legal = set(game.legal_moves(start, 0))
    for _ in range(20):
        tried = game.random_game(start, chance, LONGEST)
        assert len(tried.played) == len(tried.worths) == 2
        assert sum(tried.worths) == pytest.approx(1)
        first |= tried.played[0] & legal
    assert len(first) > 3, "it does not always begin alike"


@every_setup
def test_the_same_chance_gives_the_same_random_game(game: AnyGame, setup: Setup) -> None:
    assert isinstance(game, RandomGames)
    start = game.start(setup)
    one, other, third = (
        [game.random_game(start, random.Random(seed), LONGEST).played for _ in range(2)]
        for seed in (4, 4, 5)
    )
    assert one == other != third


@every_setup
@each("longest", [0, 1, 3])
def test_a_random_game_is_a_draw_after_the_longest(
    game: AnyGame, setup: Setup, longest: int
) -> None:
    assert isinstance(game, RandomGames)
    tried = game.random_game(game.start(setup), random.Random(6), longest)
    assert tried.worths == (0.5, 0.5)
    assert sum(map(len, tried.played)) == longest, "no turn comes twice so early"


def power(light: str, dark: str, *, aged: str = "", seat: int = 0) -> PowerState:
    """Return the position with pieces on the named points."""
    sides = [point_set(NUMBER[name] for name in side.split()) for side in (light, dark, aged)]
    return PowerState((sides[0], sides[1]), sides[2], seat)


def worth_to_first_seat(game: AnyGame, state: Any) -> float:
    """Return what random games from here are worth to seat 0, in the mean."""
    assert isinstance(game, RandomGames)
    chance = random.Random(7)
    return sum(game.random_game(state, chance, LONGEST).worths[0] for _ in range(200)) / 200


FEW, MANY = "a1 a7 d2 g4", "b6 d6 e3 e4 f4 d7 g1"
LIGHT, DARK = "m1 m5 k5 l4 i3 j2 g1", "a13 a9 d10"


@each(
    ("game", "state", "ahead"),
    [
        (GAMES.get("morris"), at(MANY, FEW, mover=WHITE), 0),
        (GAMES.get("morris"), at(MANY, FEW, mover=BLACK), 0),
        (GAMES.get("morris"), at(FEW, MANY, mover=WHITE), 1),
        (GAMES.get("morris"), at(FEW, MANY, mover=BLACK), 1),
        (GAMES.get("pow2"), power(LIGHT, DARK, seat=0), 0),
        (GAMES.get("pow2"), power(LIGHT, DARK, seat=1), 0),
        (GAMES.get("pow2"), power(DARK, LIGHT, seat=0), 1),
        (GAMES.get("pow2"), power(DARK, LIGHT, seat=1), 1),
    ],
)
def test_random_games_favour_whoever_has_more_on_the_board(
    game: AnyGame, state: Any, ahead: int
) -> None:
    worth = worth_to_first_seat(game, state)
    assert abs(worth - ahead) > 0.7, "1 is a win of seat 0"


def test_an_even_position_is_estimated_as_even() -> None:
    first = pow2_games.estimate(*power("m1 m13", "a1 a13").pieces, aged=0)
    assert first == 0.5
    white, black = at("a1 a4 d2 f2", "g7 g4 d6 b6").stones
    assert morris_games.estimate(white, black) == 0.5


def test_lives_count_in_the_power_of_two() -> None:
    light, dark = power("m1 m13", "a1 a13").pieces
    assert pow2_games.estimate(light, dark, aged=light) < 0.5
    assert pow2_games.estimate(light, dark, aged=dark) > 0.5


def test_a_mill_that_can_be_closed_is_closed() -> None:
    state = at("a1 a4 d7 b2", "g1 g4 e3 f6")
    assert {turn[:5] for turn in first_turns("morris", state)} == {"d7-a7"}


def test_a_mill_is_stopped_by_a_stone_in_hand() -> None:
    state = at("a1 g7", "d6 b6", hand=(1, 1))
    assert first_turns("morris", state) == {"f6"}


def test_a_drop_that_wins_is_played_and_none_that_lets_the_other_side_win() -> None:
    joining = {"c8", "d8", "e8"}
    second_to_move = "d1,d2 first d3 a8 d4 h8 d5 g8 d6 a1 d7"
    assert not first_turns("notwos", game_after("notwos", second_to_move)) & joining
    first_to_move = game_after("notwos", f"{second_to_move} h1")
    assert first_turns("notwos", first_to_move) == joining


def first_turns(key: str, state: Any) -> set[str]:
    """Return the turns that random games begin with."""
    chance = random.Random(8)
    return {INNER[key].played_out(state, chance, 1)[0][0] for _ in range(200)}


def game_after(key: str, turns: str) -> Any:
    """Return the position after these turns."""
    game = GAMES.get(key)
    return replayed(game, game.start(game.info.setup()), turns.split())
