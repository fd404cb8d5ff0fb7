"""Nine Men's Morris agrees with every recorded case, without exception.

The recorded games know no draws; they say where this server's draws end the game first.
From there on a game is played on with the result taken away, so that no ply goes unread.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from games.morris import game
from games.morris.board import MASKS, names
from games.morris.state import State
from pbm.engine import IncompleteMoveError, MoveError, Result
from tests.games.recorded import read
from tests.tables import each

SIDES = "WB"
DRAWS = ("repetition", "quiet")
TAKES = pytest.mark.parametrize("take", ["strict", "any"])


def recorded(take: str) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = read(f"morris_games_take_{take}.json.gz")["games"]
    assert games
    return games


def positions() -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = read("morris_positions.json")["positions"]
    assert listed
    return listed


def set_up(case: dict[str, Any], take: str) -> State:
    white, black = (sum(MASKS[point] for point in case[side]) for side in SIDES)
    hand = (case["hand"]["W"], case["hand"]["B"])
    return State((white, black), hand, SIDES.index(case["to_move"]), take == "any")


def states(case: dict[str, Any], take: str) -> Iterator[State]:
    """Yield the position before each ply and after the last, drawn ones as if they went on."""
    state = game.start(game.info.setup({"take": take}))
    for ply in case["plies"]:
        yield state
        if state.reason in DRAWS:
            state = replace(state, reason="")
        state = game.play(state, SIDES.index(ply["p"]), ply["m"])
    yield state


@TAKES
def test_every_recorded_turn_has_the_recorded_choices(take: str) -> None:
    for case in recorded(take):
        for ply, state in zip(case["plies"], states(case, take), strict=False):
            assert SIDES[state.mover] == ply["p"]
            going = replace(state, reason="")
            assert list(game.legal_moves(going, state.mover)) == ply["legal"]


def test_the_strict_choices_in_games_of_take_any_are_those_of_the_rule_text() -> None:
    seen = 0
    for case in recorded("any"):
        for ply, state in zip(case["plies"], states(case, "any"), strict=False):
            strict = replace(state, reason="", take_any=False)
            expected = ply.get("legal_seed", ply["legal"])
            assert list(game.legal_moves(strict, state.mover)) == expected
            seen += "legal_seed" in ply
    assert seen


@TAKES
def test_every_recorded_game_ends_as_recorded_or_in_a_draw_that_comes_first(take: str) -> None:
    for case in recorded(take):
        *before, last = states(case, take)
        reasons = {ply: state.reason for ply, state in enumerate(before) if state.reason}
        marks = {case["quiet50_at"]: "quiet", case["threefold_at"]: "repetition"}
        first = min((ply for ply in marks if ply), default=None)
        assert min(reasons, default=None) == first
        assert first is None or reasons[first] == marks[first]
        if case["end"] == "turn_limit_200":
            assert len(before) == 200
            continue
        winner = SIDES.index(case["winner"])
        assert game.result(last) == Result((winner,), case["end"])


@TAKES
def test_every_recorded_game_leaves_the_recorded_stones(take: str) -> None:
    for case in recorded(take):
        *_, last = states(case, take)
        held = {name: SIDES[seat] for seat in (0, 1) for name in names(last.stones[seat])}
        assert held == case["final"]


def test_mills_and_double_mills_of_the_strict_games_take_as_recorded() -> None:
    taken = {"mill_without_capture": set[int](), "double_mill": set[int]()}
    for case in recorded("strict"):
        reached = list(states(case, "strict"))
        for ply, before, after in zip(case["plies"], reached, reached[1:], strict=False):
            other = after.mover
            for kind in taken.keys() & ply.keys():
                lost = before.stones[other].bit_count() - after.stones[other].bit_count()
                taken[kind].add(lost)
    assert taken == {"mill_without_capture": {0}, "double_mill": {1}}


def mirrored(move: str) -> str:
    return "".join(str(8 - int(c)) if c.isdigit() else c for c in move)


@TAKES
def test_the_mirrored_record_is_a_legal_game_too(take: str) -> None:
    for case in recorded(take):
        state = game.start(game.info.setup({"take": take}))
        for ply, move in zip(case["plies"], case["moves_bottom"], strict=True):
            assert move == mirrored(ply["m"])
            state = replace(state, reason="")
            state = game.play(state, state.mover, game.parse(state, state.mover, move))


@each("case", positions(), ids=lambda c: c["name"])
def test_each_recorded_position_has_the_recorded_turns(case: dict[str, Any]) -> None:
    state = set_up(case, "strict")
    legal = list(game.legal_moves(state, state.mover))
    assert legal == case["legal"]
    assert set(case.get("has", ())) <= set(legal)
    other = case.get("legal_if_all_in_mills_may_be_taken", case["legal"])
    assert list(game.legal_moves(set_up(case, "any"), state.mover)) == other


@each("case", positions(), ids=lambda c: c["name"])
def test_each_recorded_position_refuses_what_it_has_not(case: dict[str, Any]) -> None:
    state = set_up(case, "strict")
    for text in case.get("hasnot", ()):
        with pytest.raises(MoveError) as caught:
            game.parse(state, state.mover, text)
        completed = {turn for turn in case["legal"] if turn.startswith(f"{text}x")}
        assert isinstance(caught.value, IncompleteMoveError) == bool(completed)
        if isinstance(caught.value, IncompleteMoveError):
            assert set(caught.value.candidates) == completed
