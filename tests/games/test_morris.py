"""Nine Men's Morris: its sheet of rulings, recorded games and positions, and what is stored."""

from dataclasses import replace
from typing import Any

import pytest

from games.morris import game
from games.morris.board import MASKS, names
from games.morris.state import State, key
from pbm.engine import IncompleteMoveError, MoveError, Result, encode
from tests.games.sheets import recorded, wrong_lines

SIDES = "WB"


def at(words: str) -> State:
    """Return the position in the words of sheets/morris.txt."""
    sides, *notes = words.split("; ")
    white, black = (sum(MASKS[name] for name in side.split()) for side in sides.split("/"))
    said = {note.split()[0]: tuple(map(int, note.split()[1:])) for note in notes}
    mover, (quiet,) = int("black" in said), said.get("quiet", (0,))
    since = (*range(-quiet, 0), key(white, black, mover))
    hand = said.get("hand", (0, 0))
    return State((white, black), (hand[0], hand[1]), mover, "any" in said, since)


def legal(state: State) -> list[str]:
    return list(game.legal_moves(state, state.mover))


def test_every_ruling_and_refusal_is_as_the_sheet_says() -> None:
    assert wrong_lines(game, at) == ""


@pytest.mark.parametrize("take", ["strict", "any"])
def test_every_recorded_game_has_the_recorded_choices_captures_and_end(take: str) -> None:
    """The records know no draws, so games go on after them, with the result taken away."""
    special = {"legal_seed": 0, "mill_without_capture": 0, "double_mill": 0}
    for case in recorded(f"morris_games_take_{take}.json.gz")["games"]:
        state, draws = game.start(game.info.setup({"take": take})), dict[int, str]()
        for number, ply in enumerate(case["plies"]):
            draws |= {number: state.reason} if state.reason else {}
            before = replace(state, reason="")
            assert SIDES[before.mover] == ply["p"]
            assert legal(before) == ply["legal"]
            strict = legal(replace(before, take_any=False))
            assert strict == ply.get("legal_seed", ply["legal"])
            state = game.play(before, before.mover, ply["m"])
            lost = before.stones[state.mover].bit_count() - state.stones[state.mover].bit_count()
            assert lost == 1 or "double_mill" not in ply
            assert lost == 0 or "mill_without_capture" not in ply
            special |= {kind: special[kind] + 1 for kind in special.keys() & ply.keys()}
        ends = {case["quiet50_at"]: "quiet", case["threefold_at"]: "repetition"}
        first = min(filter(None, ends), default=None)
        assert min(draws, default=None) == first
        assert first is None or draws[first] == ends[first]
        assert {n: SIDES[s] for s in (0, 1) for n in names(state.stones[s])} == case["final"]
        if case["end"] == "turn_limit_200":
            assert len(case["plies"]) == 200
        else:
            assert game.result(state) == Result((SIDES.index(case["winner"]),), case["end"])
    assert special["legal_seed"] or take == "strict"
    assert (special["mill_without_capture"] and special["double_mill"]) or take == "any"


def test_every_recorded_position_has_the_recorded_turns_and_refuses_others() -> None:
    for case in recorded("morris_positions.json")["positions"]:
        state, free = set_up(case, "strict"), set_up(case, "any")
        assert legal(state) == case["legal"], case["name"]
        assert set(case.get("has", ())) <= set(case["legal"])
        other = case.get("legal_if_all_in_mills_may_be_taken", case["legal"])
        assert legal(free) == other, case["name"]
        for text in case.get("hasnot", ()):
            with pytest.raises(MoveError) as caught:
                game.parse(state, state.mover, text)
            completed = {turn for turn in case["legal"] if turn.startswith(f"{text}x")}
            assert isinstance(caught.value, IncompleteMoveError) == bool(completed)
            assert not completed or set(caught.value.candidates) == completed


def set_up(case: dict[str, Any], take: str) -> State:
    white, black = (sum(MASKS[point] for point in case[side]) for side in SIDES)
    hand = (case["hand"]["W"], case["hand"]["B"])
    return State((white, black), hand, SIDES.index(case["to_move"]), take == "any")


def test_a_stored_state_stays_small_until_the_last_quiet_ply() -> None:
    """A state is written at every move: what can no longer be repeated is not kept."""
    longest = replace(
        at("a1 b2 c5 f6 / g7 f2 e3 d6"), since=tuple((1 << 49) - n for n in range(99))
    )
    assert len(encode(game, longest)) < 2000
    taken = game.play(at("a1 d1 g4 b6 / a7 d7 c3 e5; quiet 99"), 0, "g4-g1xa7")
    assert len(taken.since) == 1
