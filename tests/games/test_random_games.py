"""Whole random games, which each game plays on figures of its own: they are games by the contract.

PLAYED has the function of each game that plays. It takes a state, a source of chance and the most
plies, and returns the moves in their order, and what the game is worth to seat 0.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from games.gonnect import random_game as gonnect
from games.loa import rules as loa
from games.morris import random_game as morris
from games.notwos import random_game as notwos
from games.olix import random_game as olix
from games.pow2 import random_game as pow2
from pbm.engine import AnyGame, Chance, Playout, Seat
from pbm.plugins import installed_games
from pbm.robots.tree import LONGEST, turn_by_turn, worths_of
from tests.games import test_morris, test_olix, test_pow2

pytestmark = pytest.mark.slow

GAMES = installed_games()


def worth(play: Callable[..., tuple[list[str], Seat | None]]) -> Callable[..., Any]:
    """Return a function that tells the worth in place of the winner."""

    def played(state: Any, chance: Chance, longest: int) -> tuple[list[str], float]:
        moves, winner = play(state, chance, longest)
        return moves, Playout.worth_of(winner)

    return played


PLAYED: dict[str, Callable[[Any, Chance, int], tuple[list[str], float]]] = {
    "gonnect": worth(gonnect.play_on),
    "loa": worth(loa.played_out),
    "morris": morris.played_out,
    "notwos": notwos.played_out,
    "olix": worth(olix.play_on),
    "pow2": pow2.played_out,
}
EVEN = ["gonnect size=5", "gonnect size=7 ko=superko", "loa", "olix"]
"""Games whose random turns are all as likely, except some that are left out."""

every_setup = pytest.mark.parametrize(
    "words",
    [
        *(*EVEN, "gonnect size=7", "morris", "morris take=any", "notwos"),
        *("pow2", "pow2 exact=yes", "pow2 noborder=yes"),
    ],
)


def begun(words: str) -> tuple[Any, Any]:
    """Return a game and its first position with options; NOTWO'S after the choice of sides."""
    key, *pairs = words.split()
    game = GAMES.get(key)
    state = game.start(game.info.setup(dict(pair.split("=") for pair in pairs)))
    while key == "notwos" and state.first is None:
        state = game.play(state, state.turn, next(game.legal_moves(state, state.turn)))
    return game, state


def positions(words: str, chance: random.Random) -> Iterator[Any]:
    """Yield all positions of games that are played by one random turn after the other.

    The last move of the list comes often: in OLIX it is the offer to count.
    """
    while True:
        game, state = begun(words)
        while due := game.to_move(state):
            yield state
            moves = tuple(game.legal_moves(state, due[0]))
            move = moves[-1] if chance.random() < 0.1 else chance.choice(moves)
            state = game.play(state, due[0], move)


def replayed(game: AnyGame, state: Any, moves: list[str]) -> tuple[Any, tuple[set[str], ...], int]:
    """Return the last position, what each seat played, and how many of the `moves` it took."""
    played: tuple[set[str], ...] = (set(), set())
    for count, move in enumerate(moves):
        if not game.to_move(state):
            return state, played, count
        seat = game.to_move(state)[0]
        assert move in set(game.legal_moves(state, seat))
        played[seat].add(move)
        state = game.play(state, seat, move)
    return state, played, len(moves)


@every_setup
def test_a_random_game_can_be_played_by_the_contract_and_ends_as_the_rules_say(words: str) -> None:
    game, chance, over = begun(words)[0], random.Random(1), 0
    for seed, state in enumerate(islice(positions(words, chance), 0, 420, 7)):
        longest = LONGEST if seed % 4 else 25
        moves, first = PLAYED[game.info.key](state, random.Random(seed), longest)
        tried = game.random_game(state, random.Random(seed), longest)
        assert tried.worths == (first, 1 - first)
        end, played, count = replayed(game, state, moves)
        result = game.result(end)
        over += result is not None
        if result is None:
            assert len(moves) == longest or 0 < first < 1, "it is estimated"
        elif result.reason in ("stalemate", "equal"):
            # The result of OLIX is certain then, and the random game goes on to the last stone.
            assert all(one <= other for one, other in zip(played, tried.played, strict=True))
            assert tried.worths == worths_of(result, 2)
        else:
            assert (played, count) == (tried.played, len(moves))
            assert tried.worths == worths_of(result, 2)
    assert over, "some games are played to the end"


@every_setup
def test_the_same_seed_plays_the_same_game(words: str) -> None:
    game, state = begun(words)
    one, same, other = (
        [game.random_game(state, random.Random(seed), LONGEST).played for _ in range(2)]
        for seed in (5, 5, 6)
    )
    assert one == same != other


@every_setup
def test_after_so_many_plies_a_game_is_a_draw(words: str) -> None:
    game, state = begun(words)
    for longest in (0, 1, 2, 3):
        assert len(PLAYED[game.info.key](state, random.Random(4), longest)[0]) == longest
        tried = game.random_game(state, random.Random(4), longest)
        assert tried.worths == (0.5, 0.5)
        assert sum(map(len, tried.played)) == longest, "no turn comes twice so early"


def eyes(state: Any, seat: int) -> set[str]:
    """Return the empty points all of whose neighbours are stones that hang together around them."""
    names, width = state.board.names, state.board.width

    def at(place: int, step: int) -> str:
        """Return "own", "other" or "outside" for the point so many places on."""
        point = place + step
        if not (0 <= point < len(names) and names[point]):
            return "outside"
        return "own" if state.board.bits[names[point]] & state.stones[seat] else "other"

    found = set()
    for place, name in enumerate(names):
        if not name or state.board.bits[name] & (state.stones[0] | state.stones[1]):
            continue
        beside = [at(place, step) for step in (-1, 1, -width, width)]
        slanted = [at(place, step) for step in (-width - 1, -width + 1, width - 1, width + 1)]
        in_the_open = "outside" not in slanted
        if "other" not in beside and slanted.count("other") <= in_the_open:
            found.add(name)
    return found


LEFT_OUT: dict[str, Callable[[Any, int], set[str]]] = {
    "gonnect": eyes,
    "olix": lambda _state, _seat: {"count"},
}
"""The turns that random games of some games leave out if there are others."""


def turn_of(game: AnyGame, state: Any, chance: random.Random) -> str:
    """Return a random legal turn, but none that random games leave out if there is another."""
    seat = game.to_move(state)[0]
    legal = list(game.legal_moves(state, seat))
    leaves_out = LEFT_OUT.get(game.info.key)
    left_out = leaves_out(state, seat) if leaves_out else ()
    return str(chance.choice([turn for turn in legal if turn not in left_out] or legal))


@pytest.mark.parametrize("words", EVEN)
def test_the_first_turn_is_any_that_is_not_left_out_on_purpose(words: str) -> None:
    game, chance = begun(words)[0], random.Random(2)
    for state in islice(positions(words, chance), 10, 100, 18):
        draws = 40 * len(list(game.legal_moves(state, game.to_move(state)[0])))
        first = Counter(PLAYED[game.info.key](state, chance, 1)[0][0] for _ in range(draws))
        turns = Counter(turn_of(game, state, chance) for _ in range(draws))
        assert first.keys() == turns.keys()
        assert (first - turns).total() < 0.2 * draws


@pytest.mark.parametrize("words", EVEN)
def test_games_are_won_as_often_as_turn_by_turn(words: str) -> None:
    game, chance, games = begun(words)[0], random.Random(3), 200
    state = next(islice(positions(words, chance), 15, None))
    won, expected = 0.0, 0.0
    for _ in range(games):
        won += PLAYED[game.info.key](state, chance, LONGEST)[1]
        slow = state
        while due := game.to_move(slow):
            slow = game.play(slow, due[0], turn_of(game, slow, chance))
        expected += worths_of(game.result(slow), 2)[0]
    assert abs(won - expected) < 0.15 * games  # Three standard deviations.


def test_who_has_no_stone_left_in_olix_accepts_the_offer_to_count() -> None:
    rows = """
        xxooxxoo... ooxxooxx... xxooxxoo... ooxxooxx... xxooxxoox.. ooxxooxxo..
        xxooxxoox.. xoxxooxxo.. xxooxxoox.o xoxxooxxo.o xxooxxoox.o
    """
    state = replace(test_olix.at(rows), last="count")
    moves, winner = olix.play_on(state, random.Random(7), LONGEST)
    assert moves == ["count"]
    end = replayed(begun("olix")[0], state, moves)[0]
    assert (end.reason, end.winner) == ("agreed", winner)


FEW, MANY = "a1 a7 d2 g4", "b6 d6 e3 e4 f4 d7 g1"
LIGHT, DARK = "M1 M5 K5 L4 I3 J2 G1", "A13 A9 D10"


@pytest.mark.parametrize(
    ("key", "state", "ahead"),
    [
        ("morris", test_morris.at(f"{MANY} / {FEW}"), 0),
        ("morris", test_morris.at(f"{MANY} / {FEW}; black"), 0),
        ("morris", test_morris.at(f"{FEW} / {MANY}"), 1),
        ("morris", test_morris.at(f"{FEW} / {MANY}; black"), 1),
        ("pow2", test_pow2.at(f"{LIGHT} / {DARK}"), 0),
        ("pow2", test_pow2.at(f"{LIGHT} / {DARK}; dark"), 0),
        ("pow2", test_pow2.at(f"{DARK} / {LIGHT}"), 1),
        ("pow2", test_pow2.at(f"{DARK} / {LIGHT}; dark"), 1),
    ],
)
def test_random_games_favour_whoever_has_more_on_the_board(
    key: str, state: Any, ahead: int
) -> None:
    chance = random.Random(7)
    worth = sum(PLAYED[key](state, chance, LONGEST)[1] for _ in range(200)) / 200
    assert abs(worth - ahead) > 0.7, "1 is a win of seat 0"


def test_an_even_position_is_estimated_as_even_and_lives_count_in_the_power_of_two() -> None:
    light, dark = test_pow2.at("M1 M13 / A1 A13").pieces
    assert pow2.estimate(light, dark, aged=0) == 0.5
    assert pow2.estimate(light, dark, aged=light) < 0.5
    assert pow2.estimate(light, dark, aged=dark) > 0.5
    assert morris.estimate(*test_morris.at("a1 a4 d2 f2 / g7 g4 d6 b6").stones) == 0.5


def first_turns(key: str, state: Any) -> set[str]:
    """Return the turns that random games begin with."""
    chance = random.Random(8)
    return {PLAYED[key](state, chance, 1)[0][0] for _ in range(200)}


def test_a_mill_that_can_be_closed_is_closed_or_stopped_by_a_stone_in_hand() -> None:
    closing = first_turns("morris", test_morris.at("a1 a4 d7 b2 / g1 g4 e3 f6"))
    assert {turn[:5] for turn in closing} == {"d7-a7"}
    assert first_turns("morris", test_morris.at("a1 g7 / d6 b6; hand 1 1")) == {"f6"}


def test_a_drop_that_wins_is_played_and_none_that_lets_the_other_side_win() -> None:
    joining, game = {"c8", "d8", "e8"}, GAMES.get("notwos")
    start = game.start(game.info.setup())
    turns = "d1,d2 first d3 a8 d4 h8 d5 g8 d6 a1 d7 h1"
    second_to_move, _, _ = replayed(game, start, turns.split()[:-1])
    assert not first_turns("notwos", second_to_move) & joining
    assert first_turns("notwos", game.play(second_to_move, second_to_move.turn, "h1")) == joining


@pytest.mark.parametrize("words", ["hex size=5", "havannah size=4", "ygame size=5"])
def test_games_on_the_kit_are_won_as_often_and_as_long_as_turn_by_turn(words: str) -> None:
    game, start = begun(words)
    state = game.play(start, 0, game.info.example)
    chance, games = random.Random(9), 300
    slow, quick = turn_by_turn(game), game.random_game
    tried = [quick(state, chance, LONGEST) for _ in range(games)]
    expected = [slow(state, chance) for _ in range(games)]
    won, lengths = (
        [sum(map(of, each)) / games for each in (tried, expected)]
        for of in (lambda each: each.worths[0], lambda each: sum(map(len, each.played)))
    )
    assert abs(won[0] - won[1]) < 0.13  # Three standard deviations.
    assert abs(lengths[0] - lengths[1]) < 0.05 * lengths[1]


@pytest.mark.parametrize("words", ["amazons size=6", "breakthrough", "go size=9"])
def test_random_turns_are_legal_one_after_the_other(words: str) -> None:
    """The same seed plays the same game, so a ply more shows the next turn, unless it came before.

    Only so far a game without such a turn is followed; in Go no earlier board may come back.
    """
    game, start = begun(words)
    for seed in range(6):
        state, before = start, Playout((0.5, 0.5), (set(), set()))
        for longest in range(1, 50):
            tried = game.random_game(start, random.Random(seed), longest)
            if tried.played == before.played:
                break
            (seat,) = game.to_move(state)
            (move,) = tried.played[seat] - before.played[seat]
            assert move in set(game.legal_moves(state, seat))
            state, before = game.play(state, seat, move), tried
        assert longest > 15
        if result := game.result(state):
            assert tried.worths == worths_of(result, 2)
