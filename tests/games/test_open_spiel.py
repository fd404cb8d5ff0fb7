"""Our games are those of OpenSpiel, move by move, where it has them too.

Further in than a conversation, because it takes hundreds of whole games.
"""

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from games.go.rules import KOMI
from pbm.engine import Turn, begin, repeat
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
    "darkhex size=5": "dark_hex(board_size=5)",
    "darkhex size=11": "dark_hex(board_size=11)",
    "reversi": "othello",
    "loa": "lines_of_action",
    "breakthrough": "breakthrough",
    "draughts": "checkers",
}
"""Our game with its options, and the same in OpenSpiel."""

OTHER_DRAWS = ("loa", "draughts")
"""Games that OpenSpiel ends in a draw by other rules; the comparison goes on to the first draw."""


def turned(action: str) -> str:
    """Return a move of Breakthrough: there Black begins, from above, and "c3b2*" takes."""
    start, goal = (f"{action[n]}{9 - int(action[n + 1])}" for n in (0, 2))
    return f"{start}{'x' if '*' in action else '-'}{goal}"


WRITTEN: dict[str, Callable[[str], str]] = {"breakthrough": turned}
"""Our notation of the actions of OpenSpiel, by game, where it differs."""


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
            seat, turns, turn = (
                other.current_player(),
                dict(whole_turns(other, WRITTEN.get(key, str))),
                "pass",
            )
            if list(turns) != [turn]:  # ours passes by itself
                assert game.to_move(state) == (seat,), played
                assert {*game.legal_moves(state, seat)} == turns.keys(), played
                turn = chance.choice(sorted(turns))
                played.append(turn)
                state = game.play(state, seat, turn)
            for action in turns[turn]:
                other.apply_action(action)
            result = game.result(state)
            if key in OTHER_DRAWS and result and not result.winners:
                break
        else:
            winners = tuple(seat for seat, worth in enumerate(other.returns()) if worth > 0)
            if key in OTHER_DRAWS and not winners:
                continue
            assert result is not None, played
            assert result.winners == winners, played


@pytest.mark.parametrize(("size", "matches"), [(6, MATCHES), (10, 40)])
def test_random_games_of_amazons_are_the_same_in_open_spiel(size: int, matches: int) -> None:
    """There a turn is three: the amazon, where it goes, where it shoots."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra dev")
    game, theirs = (
        installed_games().get("amazons"),
        pyspiel.load_game(f"amazons(board_size={size})"),
    )

    def cell(action: str) -> str:
        row, column = map(int, re.findall("[0-9]+", action))
        return f"{'abcdefghij'[column - 1]}{size + 1 - row}"

    for seed in range(matches):
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


@pytest.mark.parametrize(
    ("size", "handicap", "matches"), [(9, 0, MATCHES), (13, 0, 40), (19, 2, 10), (19, 9, 10)]
)
def test_random_games_of_go_are_the_same_in_open_spiel(
    size: int, handicap: int, matches: int
) -> None:
    """There a game ends at once in a draw where a board comes back, which is forbidden here.

    The areas are as large if half a point of komi makes the difference.
    """
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra dev")

    def theirs(komi: float) -> Any:
        options = f"board_size={size},handicap={handicap},komi={komi},max_game_length=9999"
        return pyspiel.load_game(f"go({options})").new_initial_state()

    game = installed_games().get("go")
    setup = game.info.setup({"size": f"{size}", "handicap": f"{handicap}"})
    for seed in range(matches):
        state, other, chance = game.start(setup), theirs(7.5), random.Random(seed)
        while not other.is_terminal():
            seat = other.current_player()
            actions = named(other, lambda action: action[2:].upper().replace("PASS", "pass"))
            legal = {*game.legal_moves(state, seat)}
            assert game.to_move(state) == (seat,)
            assert legal <= actions.keys()
            assert all(repeated(other, actions[move]) for move in actions.keys() - legal)
            move = "pass" if chance.random() < 0.06 else chance.choice(sorted(legal))
            other.apply_action(actions[move])
            state = game.play(state, seat, move)
        while due := game.to_move(state):
            state = game.play(state, due[0], "count")
        result = game.result(state)
        assert result is not None
        black, white = result.scores or (0, 0)
        even = black - white + (0 if handicap else KOMI)
        for winner, komi in enumerate((even - 0.5, even + 0.5)):
            again = theirs(komi)
            for action in other.history():
                again.apply_action(action)
            assert again.returns()[winner] == 1


def repeated(state: Any, action: int) -> bool:
    """Return whether OpenSpiel ends the game in a draw after this stone."""
    after = state.child(action)
    return bool(after.is_terminal() and after.returns() == [0, 0])


def named(state: Any, written: Callable[[str], str]) -> dict[str, int]:
    """Return the legal actions of a state of OpenSpiel by what players type."""
    player = state.current_player()
    return {written(state.action_to_string(player, a)): a for a in state.legal_actions()}


def whole_turns(state: Any, written: Callable[[str], str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield what players type for each legal turn, and its actions in OpenSpiel."""
    player, is_draughts = state.current_player(), str(state.get_game()).startswith("checkers")
    for action in state.legal_actions():
        step = state.action_to_string(player, action)
        if is_draughts:
            yield from jumps(state, step, action)
        else:
            yield written(step), (action,)


def jumps(state: Any, path: str, *actions: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the turns that go on from a path in draughts, where each jump is an action."""
    player, after = state.current_player(), state.child(actions[-1])
    if after.current_player() == player:
        for action in after.legal_actions():
            yield from jumps(
                after, path + after.action_to_string(player, action)[2:], *actions, action
            )
    else:
        cells = [path[n : n + 2] for n in range(0, len(path), 2)]
        far = abs(int(cells[0][1]) - int(cells[1][1])) == 2
        yield ("x" if far else "-").join(cells), actions


STEPS = {"up": (0, -1), "left": (1, 0), "down": (0, 1), "right": (-1, 0)}
"""The steps of EinStein in OpenSpiel as ours: there White begins, in the lower right corner."""


def test_random_games_of_einstein_are_the_same_in_open_spiel() -> None:
    """There the places of the stones and each throw are draws as well."""
    pyspiel = pytest.importorskip("pyspiel", reason="needs open_spiel, of the extra dev")
    game, theirs = installed_games().get("einstein"), pyspiel.load_game("einstein_wurfelt_nicht")
    for seed in range(MATCHES):
        other, chance = theirs.new_initial_state(), random.Random(seed)
        thrown = [drawn(other, chance) for _ in range(3)][-1]
        setup = game.info.setup(dealt=(*map("".join, orders(str(other))), thrown))
        position = begin(game, setup)
        while not other.is_terminal():
            seat = 1 - other.current_player()
            turns = {
                step_of(position.state.stones[seat], other.action_to_string(action)): action
                for action in other.legal_actions()
            }
            assert game.to_move(position.state) == (seat,)
            assert {*game.legal_moves(position.state, seat)} == turns.keys()
            move = chance.choice(sorted(turns))
            other.apply_action(turns[move])
            throw = "" if other.is_terminal() else f" [{drawn(other, chance)}]"
            position, _ = repeat(game, position, Turn(seat, move + throw))
        result = game.result(position.state)
        assert result is not None
        assert other.returns()[1 - result.winners[0]] == 1


def drawn(state: Any, chance: random.Random) -> str:
    """Apply one of the outcomes of a draw of OpenSpiel; return it as a throw of ours."""
    outcome = chance.choice([outcome for outcome, _ in state.chance_outcomes()])
    state.apply_action(outcome)
    return str(outcome + 1)


def orders(board: str) -> list[list[str]]:
    """Return the numbers of both sides, White's first, from the corner along its rows."""
    cells = re.findall(r"\|(..)\|", board)
    white = [cell[1] for cell in reversed(cells) if cell[0] == "w"]
    return [white, [cell[1] for cell in cells if cell[0] == "b"]]


def step_of(places: tuple[str, ...], action: str) -> str:
    """Return "W1-diag*" as we write it."""
    number, words = int(action[1]), action[3:].rstrip("*")
    whites, blacks = ("up", "left"), ("down", "right")
    ways = (whites if action[0] == "W" else blacks) if words == "diag" else (words,)
    start = places[number - 1]
    column, row = (sum(STEPS[way][n] for way in ways) for n in (0, 1))
    return f"{start}-{chr(ord(start[0]) + column)}{int(start[1]) + row}"
