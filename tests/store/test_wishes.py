"""Standing answers and seeks are kept by game and player, and the last word counts."""

from dataclasses import replace

import pytest

from pbm.domain.invitations import Answer, Seek, Stance, Terms
from pbm.domain.match import Ending, Outcome
from pbm.domain.player import PlayerState
from pbm.engine import Setup
from pbm.service.ports import Conflict
from tests.store.conftest import Begin
from tests.store.samples import MINUTE, NOW, START, a_match, add_players


def a_seek(player: int, game: str = "hex", count: int = 2) -> Seek:
    setup = Setup({"size": "11"}, seed=2**31 - 1)
    return Seek(
        100 + 10 * player + len(game),
        player,
        game,
        setup,
        Terms(nag_days=3, rated=False),
        count,
        NOW,
    )


def test_a_stance_is_kept_and_the_last_word_counts(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        unit.wishes.set_stance("hex", alice, Stance(Answer.ACCEPT, 4))
        unit.wishes.set_stance("hex", bob, Stance(Answer.REJECT))
        unit.wishes.set_stance("pow2", alice, Stance(Answer.ASK, 1))
        unit.wishes.set_stance("hex", alice, Stance(Answer.ASK, 0))
        assert unit.wishes.stances("hex", [carl, bob, alice]) == {
            alice: Stance(Answer.ASK, 0),
            bob: Stance(Answer.REJECT, None),
        }
        assert unit.wishes.stances("pow2", [alice]) == {alice: Stance(Answer.ASK, 1)}
        assert unit.wishes.stances("hex", []) == {}


def test_a_seek_comes_back_as_it_was(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.wishes.set_seek(a_seek(alice))
        unit.commit()
    with begin() as unit:
        assert unit.wishes.seeks("hex") == (a_seek(alice),)
        assert unit.wishes.seeks("pow2") == ()


def test_a_player_has_one_seek_for_a_game_until_none_are_left(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.wishes.set_seek(a_seek(alice, "pow2"))
        unit.wishes.set_seek(a_seek(alice, count=5))
        changed = replace(a_seek(alice, count=1), setup=Setup({}, 7), terms=Terms())
        unit.wishes.set_seek(changed)
        assert unit.wishes.seeks("hex") == (changed,)
        unit.wishes.set_seek(replace(changed, count=0))
        assert unit.wishes.seeks() == (a_seek(alice, "pow2"),)


def test_the_oldest_seeks_come_first(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        young = replace(a_seek(alice), made_at=NOW + MINUTE)
        old = replace(a_seek(carl, "pow2"), made_at=NOW - MINUTE)
        for seek in (young, a_seek(bob), old):
            unit.wishes.set_seek(seek)
        assert unit.wishes.seeks() == (old, a_seek(bob), young)
        assert unit.wishes.seeks("hex") == (a_seek(bob), young)


@pytest.mark.parametrize("state", [PlayerState.GONE, PlayerState.DISABLED])
def test_a_player_who_cannot_play_seeks_nobody(begin: Begin, state: PlayerState) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        unit.wishes.set_seek(a_seek(alice))
        unit.wishes.set_seek(a_seek(bob))
        unit.players.set_state(alice, state)
        assert unit.wishes.seeks() == unit.wishes.seeks("hex") == (a_seek(bob),)


def test_active_boards_are_the_open_ones_of_that_game(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        over = replace(a_match(102, (alice, bob), "hex"), outcome=Outcome(Ending.CLOSED))
        unit.matches.add(a_match(101, (alice, bob), "hex"), START, (0,))
        unit.matches.add(replace(over, ended_at=NOW), START, ())
        unit.matches.add(a_match(103, (alice, bob), "pow2"), START, (0,))
        unit.matches.add(a_match(104, (carl, alice), "hex"), START, (0,))
        counted = [unit.wishes.active_boards("hex", player) for player in (alice, bob, carl)]
        assert counted == [2, 1, 1]
        assert unit.wishes.active_boards("chess", alice) == 0


def test_seeks_are_found_by_their_age_whoever_made_them(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        old = a_seek(bob)
        young = replace(a_seek(alice), made_at=NOW + MINUTE)
        newest = replace(a_seek(alice, "pow2"), made_at=NOW + 2 * MINUTE)
        for seek in (newest, young, old):
            unit.wishes.set_seek(seek)
        unit.players.set_state(bob, PlayerState.DISABLED)
        assert unit.wishes.seeks_since(NOW + MINUTE, 10) == (old, young)
        assert unit.wishes.seeks_since(NOW + 9 * MINUTE, 2) == (old, young)
        assert unit.wishes.seeks_since(NOW - MINUTE, 10) == ()
        assert unit.wishes.seeks_of(alice) == (young, newest)
        assert unit.wishes.seeks_of(bob) == (old,)


def test_each_match_of_a_seek_is_taken_once_and_the_last_one_ends_it(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        seek = replace(a_seek(alice, count=2), seat=1)
        unit.wishes.set_seek(seek)
        unit.wishes.take_seek(seek)
        left = unit.wishes.seek(seek.number)
        assert left == replace(seek, count=1)
        with pytest.raises(Conflict):
            unit.wishes.take_seek(seek)
        unit.wishes.take_seek(left)
        assert unit.wishes.seek(seek.number) is None
        with pytest.raises(Conflict):
            unit.wishes.take_seek(left)
