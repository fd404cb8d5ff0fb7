"""Our games are those of OpenSpiel, move by move, where it has them too.

Further in than a conversation, because it takes hundreds of whole games.
"""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from pbm.plugins import installed_games

pytestmark = pytest.mark.slow

MATCHES = 200

GAMES = {
    "hex size=11": "hex",
    "hex size=7": "hex(board_size=7)",
    "havannah size=4": "havannah(board_size=4)",
    "havannah size=8": "havannah(board_size=8)",
    "ygame size=9": "y(board_size=9)",
    "ygame size=19": "y(board_size=19)",
    "reversi": "othello",
    "loa": "lines_of_action",
    "breakthrough": "breakthrough",
}
"""Our game with its options, and the same in OpenSpiel."""

SOONER = {"loa": "a board that came up before is a draw"}
"""Games that OpenSpiel ends in a draw sooner than we do, and when."""


def turned(action: str) -> str:
    """Return a move of Breakthrough: there Black begins, from above, and "c3b2*" takes."""
    start, goal = (f"{action[n]}{9 - int(action[n + 1])}" for n in (0, 2))
    return f"{start}{'x' if '*' in action else '-'}{goal}"


WRITTEN: dict[str, Callable[[str], str]] = {"breakthrough": turned}
"""How we write the actions of OpenSpiel, where that differs."""


@pytest.mark.parametrize("words", GAMES)
def test_random_games_are_the_same_in_open_spiel(words: str) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra dev")
    key, *options = words.split()
    game, theirs = installed_games().get(key), pyspiel.load_game(GAMES[words])
    setup = game.info.setup(dict(pair.split("=") for pair in options))
    for seed in range(MATCHES):
        played: list[str] = []
        state, other, chance = game.start(setup), theirs.new_initial_state(), random.Random(seed)
        while not other.is_terminal():
            seat, actions = other.current_player(), named(other, WRITTEN.get(key, str))
            if list(actions) != ["pass"]:  # ours passes by itself
                assert game.to_move(state) == (seat,), played
                assert {*game.legal_moves(state, seat)} == actions.keys(), played
                played.append(chance.choice(sorted(actions)))
                state = game.play(state, seat, played[-1])
            other.apply_action(actions.get("pass", actions.get(played[-1])))
        result = game.result(state)
        winners = tuple(seat for seat, worth in enumerate(other.returns()) if worth > 0)
        if result is None and not winners and key in SOONER:
            continue
        assert result is not None, played
        assert result.winners == winners, played


@pytest.mark.parametrize("size", [6, 10])
def test_random_games_of_amazons_are_the_same_in_open_spiel(size: int) -> None:
    """There a turn is three: the amazon, where it goes, where it shoots."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra dev")
    game, theirs = (
        installed_games().get("amazons"),
        pyspiel.load_game(f"amazons(board_size={size})"),
    )

    def cell(action: str) -> str:
        row, column = map(int, re.findall("[0-9]+", action))
        return f"{'abcdefghij'[column - 1]}{size + 1 - row}"

    for seed in range(MATCHES):
        state, other = game.start(game.info.setup({"size": str(size)})), theirs.new_initial_state()
        chance = random.Random(seed)
        while not other.is_terminal():
            seat = other.current_player()
            turns = [turn.replace("/", "-").split("-") for turn in game.legal_moves(state, seat)]
            for part in range(3):
                actions = named(other, cell)
                assert {turn[part] for turn in turns} == actions.keys()
                chosen = chance.choice(sorted(actions))
                other.apply_action(actions[chosen])
                turns = [turn for turn in turns if turn[part] == chosen]
            ((start, to, arrow),) = turns
            state = game.play(state, seat, f"{start}-{to}/{arrow}")
        result = game.result(state)
        assert result is not None
        assert other.returns()[result.winners[0]] == 1


def named(state: Any, written: Callable[[str], str]) -> dict[str, int]:
    """Return the legal actions of a state of OpenSpiel by what players type."""
    player = state.current_player()
    return {written(state.action_to_string(player, a)): a for a in state.legal_actions()}
