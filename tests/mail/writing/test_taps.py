"""Every legal turn of every game is played by at most two taps."""

from collections.abc import Iterator
from typing import Any

import pytest

from gallery.boards import all_games, played, playthroughs, positions
from pbm.engine import AnyGame, IllegalMoveError, UnfinishedMoveError, Viewer
from pbm.mail.writing.pictures import Taps, first_taps, listed, next_taps

MOST_TURNS = 30
"""Legal turns of a position that are looked for."""


def test_a_point_that_is_a_turn_takes_one_tap() -> None:
    assert first_taps(["a1", "b2"], frozenset({"a1", "b2"})) == Taps({"a1": "a1", "b2": "b2"})


def test_a_word_that_is_a_turn_is_listed_beside_the_points() -> None:
    points = [f"a{n}" for n in range(1, 20)]
    taps = first_taps([*points, "count"], frozenset(points))
    assert taps.turns == ("count",)
    assert set(taps.points) == set(points)


def test_a_few_longer_turns_are_listed_at_once() -> None:
    taps = first_taps(["d1xg7", "d1xa4", "d2"], frozenset({"d1", "d2", "g7", "a4"}))
    assert taps == Taps({"d1": "d1", "d2": "d2"}, ("d1xg7", "d1xa4", "d2"))


def test_the_points_named_before_are_not_asked_for_again() -> None:
    names = frozenset({"a1", "b2", "c3", "c4"})
    assert next_taps(["a1,b2", "a1,c3"], names) == {"b2": "a1,b2", "c3": "a1,c3"}
    assert next_taps(["a1,b2", "b2,c3"], names) == {"a1": "a1,b2", "c3": "b2,c3"}
    assert next_taps(["a1-b2:c3", "a1-b2:c4", "a1-c4"], names) == {"b2": "a1-b2", "c4": "a1-c4"}


def test_one_whole_way_to_go_on_has_its_own_point() -> None:
    assert next_taps(["a1"], frozenset({"a1"})) == {}
    assert next_taps([], frozenset()) == {}


def taps_to(game: AnyGame, state: Any, seat: int, turn: str, first: Taps) -> int:
    """Return how many taps lead to a turn, 3 for more than two."""
    if turn in (*first.turns, *first.points.values()):
        return 1
    return min(
        taps_after(game, state, seat, turn, text) for text in first.points.values() if text in turn
    )


def taps_after(game: AnyGame, state: Any, seat: int, turn: str, text: str) -> int:
    """Return how many taps lead to a turn whose part `text` has been tapped."""
    try:
        game.parse(state, seat, text)
    except UnfinishedMoveError as unfinished:
        ways = next_taps(unfinished.candidates, names_of(game, state))
        return 2 if turn in (*listed(unfinished.candidates, ways), *ways.values()) else 3
    except IllegalMoveError:
        pass
    return 3


def names_of(game: AnyGame, state: Any) -> frozenset[str]:
    return frozenset(point.name for point in game.diagram(state, Viewer()).points)


def states(game: AnyGame) -> Iterator[Any]:
    """Yield the positions of all playthroughs, and of random play."""
    for _, transcript in playthroughs(game):
        yield from (position.state for position in positions(game, transcript))
    yield from (played(game, plies) for plies in (0, 1, 2, 12, 24, 40))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.info.key)
def test_every_legal_turn_can_be_tapped(game: AnyGame) -> None:
    found = set()
    for state in states(game):
        for seat in game.to_move(state):
            turns = [str(turn) for turn in game.legal_moves(state, seat)]
            first = first_taps(turns, names_of(game, state))
            for turn in turns[:: 1 + len(turns) // MOST_TURNS]:
                found.add(taps_to(game, state, seat, turn, first))
    assert 1 in found
    assert max(found) <= 2


def test_a_point_whose_name_begins_that_of_another_is_told_from_it() -> None:
    turns = ["d10-d1/a1", "d10-d1/b1", "d10-d2/a1"]
    ways = next_taps(turns, frozenset({"a1", "b1", "d1", "d2", "d10"}))
    assert ways == {"d1": "d10-d1", "d2": "d10-d2/a1"}
