"""The laws of games with chance, sealed turns and secrets: each mutant breaks one."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.einstein.rules import Einstein, State
from pbm.engine import (
    AnyGame,
    Seat,
    Viewer,
    advance,
    any_of,
    begin,
    by_weight,
    deal,
    notation_of,
    repeat,
    replay,
)
from pbm.engine.conformance import ConformanceError, check
from tests.thirdparty.games import packages

GAMES = packages()


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(GAMES))
def test_the_packages_of_third_parties_keep_every_law(key: str) -> None:
    check(GAMES[key])


class Loaded(Einstein):
    """Says that a zero can be thrown."""

    __module__ = Einstein.__module__

    def chances(self, state: State) -> Mapping[str, int]:
        return {**super().chances(state), "0": 0} if state.stones[1:] else super().chances(state)


class Forgetful(Einstein):
    """Draws for itself as well."""

    __module__ = Einstein.__module__

    source = Random(1)

    def draw(self, state: State, outcome: str) -> State:
        drawn = super().draw(state, outcome)
        return super().draw(state, str(self.source.randint(1, 6))) if drawn.die else drawn


class Silent(Einstein):
    """Does not say that it draws."""

    __module__ = Einstein.__module__

    info = replace(Einstein.info, chance=False)


@pytest.mark.parametrize(
    ("mutant", "law"),
    [
        (Loaded(), "the weight of 0 is a whole number > 0"),
        (Forgetful(), "always leads to the same position"),
        (Silent(), "a game that draws says so"),
    ],
)
def test_a_game_that_draws_otherwise_than_it_says_is_told(mutant: AnyGame, law: str) -> None:
    with pytest.raises(ConformanceError, match=law):
        check(mutant, matches=2)


class Peeking(type(GAMES["rps"])):  # type: ignore[misc]
    """The second to choose may not choose what the first has chosen."""

    __module__ = type(GAMES["rps"]).__module__

    def legal_moves(self, state: Any, seat: Seat) -> Any:
        moves = super().legal_moves(state, seat)
        return (move for move in moves if move not in state.chosen)


class Open(type(GAMES["rps"])):  # type: ignore[misc]
    """Does not say that seats choose at the same time."""

    __module__ = type(GAMES["rps"]).__module__

    info = replace(GAMES["rps"].info, sealed=False)


@pytest.mark.parametrize(
    ("mutant", "law"),
    [(Peeking(), "changes nothing about the moves"), (Open(), "one seat is to move at a time")],
)
def test_a_choice_that_is_not_secret_is_told(mutant: AnyGame, law: str) -> None:
    with pytest.raises(ConformanceError, match=law):
        check(mutant, matches=2)


class Glass(type(GAMES["fleet"])):  # type: ignore[misc]
    """Draws what is hidden from whoever looks."""

    __module__ = type(GAMES["fleet"]).__module__

    def diagram(self, state: Any, viewer: Viewer) -> Any:
        return replace(super().diagram(state, viewer), told=state.fleets)


class Talkative(type(GAMES["fleet"])):  # type: ignore[misc]
    """Says that nothing is hidden."""

    __module__ = type(GAMES["fleet"]).__module__

    info = replace(GAMES["fleet"].info, hidden=False)


@pytest.mark.parametrize(
    ("mutant", "law"),
    [(Glass(), "sees nothing hidden: diagrams"), (Talkative(), "unless the info says hidden=True")],
)
def test_what_is_hidden_and_seen_is_told(mutant: AnyGame, law: str) -> None:
    with pytest.raises(ConformanceError, match=law):
        check(mutant, matches=2)


def test_what_was_drawn_is_in_the_log_and_is_drawn_again_by_a_replay() -> None:
    game, draw = Einstein(), by_weight(Random(3))
    setup = deal(game, game.info.setup(), draw)
    position, turns = begin(game, setup), []
    while seats := game.to_move(position.state):
        move = next(game.legal_moves(position.state, seats[0]))
        position, turn = advance(game, position, seats[0], move, draw)
        turns.append(turn)
    assert all(turn.text.endswith("]") for turn in turns[:-1])
    assert [*replay(game, setup, turns)][-1] == position
    # A log that says something else leads elsewhere, and one that says less nowhere.
    first, move = begin(game, setup), notation_of(turns[0].text)
    for die in "123456":
        other, _ = repeat(
            game, first, type(turns[0])(0, f"{turns[0].text.partition(' ')[0]} [{die}]")
        )
        assert other.state.die == int(die)
    assert advance(game, first, 0, move, any_of)[0].state.die == 1
