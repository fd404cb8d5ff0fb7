"""Numbers for the operator: what counts, and what no longer counts."""

from dataclasses import replace
from datetime import timedelta

from sqlalchemy import Engine

from pbm.domain.invitations import Invitation, InvitationState, Seek, Terms
from pbm.domain.match import Ending, Outcome
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerId, PlayerState
from pbm.engine import Setup
from pbm.service.ports import BoardCounts, LookCounts, MailCounts
from pbm.store.intake import Letterbox
from pbm.store.unit import UnitOfWork
from tests.store.conftest import Begin
from tests.store.samples import NOW, START, a_mail, a_match, add_players, an_answer

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


def add_board(
    unit: UnitOfWork,
    number: int,
    players: tuple[PlayerId, ...],
    game: str = "noughts",
    *,
    age: int = 0,
    ended: int | None = None,
) -> None:
    """Store a board that was started `age` days ago and has been over for `ended` days."""
    match = replace(a_match(number, players, game), started_at=NOW - age * DAY)
    if ended is not None:
        match = replace(match, outcome=Outcome(Ending.AGREED), ended_at=NOW - ended * DAY)
    unit.matches.add(match, START, () if match.over else (0,))


def an_invitation(number: int, players: tuple[PlayerId, ...], state: InvitationState) -> Invitation:
    agreed = frozenset(players[:1])
    return Invitation(
        number, "hex", Setup({}), Terms(), players, players[0], agreed, NOW, state
    )  # fmt: skip


def test_boards_are_counted_by_game_and_recent_ones_a_second_time(begin: Begin) -> None:
    with begin() as unit:
        both = add_players(unit, "alice", "bob")
        add_board(unit, 101, both, age=40, ended=31)
        add_board(unit, 102, both, age=40, ended=29)
        add_board(unit, 103, both, age=31)
        add_board(unit, 104, both, age=29)
        add_board(unit, 105, both, "hex", age=1, ended=0)
        assert unit.statistics.boards(NOW - 30 * DAY) == {
            "noughts": BoardCounts(open=2, over=2, started=1, ended=1),
            "hex": BoardCounts(open=0, over=1, started=1, ended=1),
        }


def test_players_are_counted_by_state_and_those_at_open_boards_once_each(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl, dora = add_players(unit, "alice", "bob", "carl", "dora")
        unit.players.set_state(carl, PlayerState.DISABLED)
        unit.players.set_state(dora, PlayerState.GONE)
        add_board(unit, 101, (alice, bob))
        add_board(unit, 102, (alice, bob))
        add_board(unit, 103, (alice, dora), ended=0)
        assert unit.statistics.players() == {
            PlayerState.ACTIVE: 2,
            PlayerState.DISABLED: 1,
            PlayerState.GONE: 1,
        }
        assert unit.statistics.playing() == 2


def test_a_player_is_away_from_the_beginning_of_a_pause_up_to_its_end(begin: Begin) -> None:
    with begin() as unit:
        alice, bob, carl = add_players(unit, "alice", "bob", "carl")
        unit.pauses.add(PauseKind.VACATION, NOW, NOW + DAY, alice)
        unit.pauses.add(PauseKind.VACATION, NOW - DAY, NOW, bob)
        unit.pauses.add(PauseKind.UNREACHABLE, NOW - DAY, None, bob)
        unit.pauses.add(PauseKind.VACATION, NOW + HOUR, None, bob)
        unit.pauses.add(PauseKind.OUTAGE, NOW - DAY, NOW + DAY)
        unit.pauses.add(PauseKind.VACATION, NOW - DAY, NOW + DAY, carl)
        unit.players.set_state(carl, PlayerState.GONE)
        assert unit.statistics.away(NOW) == {PauseKind.VACATION: 1, PauseKind.UNREACHABLE: 1}


def test_two_pauses_of_one_kind_are_one_player(begin: Begin) -> None:
    with begin() as unit:
        (alice,) = add_players(unit, "alice")
        unit.pauses.add(PauseKind.VACATION, NOW - DAY, NOW + DAY, alice)
        unit.pauses.add(PauseKind.VACATION, NOW - HOUR, NOW + HOUR, alice)
        assert unit.statistics.away(NOW) == {PauseKind.VACATION: 1}


def test_open_invitations_and_seeks_of_active_players_are_wanted(begin: Begin) -> None:
    with begin() as unit:
        alice, bob = add_players(unit, "alice", "bob")
        for number, state in ((101, InvitationState.OPEN), (102, InvitationState.STARTED)):
            unit.invitations.add(an_invitation(number, (alice, bob), state))
        for player in (alice, bob):
            unit.wishes.set_seek(Seek(player, player, "hex", Setup({}), Terms(), 3, NOW))
        unit.wishes.set_seek(Seek(104, alice, "noughts", Setup({}), Terms(), 1, NOW))
        unit.players.set_state(bob, PlayerState.DISABLED)
        assert unit.statistics.wanted() == (1, 2)


def test_mails_are_counted_by_what_became_of_them(begin: Begin, engine: Engine) -> None:
    inbox = Letterbox(engine, lambda mail: None, 100)
    for hours in (25, 23, 1):
        inbox.put([replace(a_mail(), received_at=NOW - hours * HOUR)])
    with begin() as unit:
        first, second, _ = unit.inbox.claim(3)
        unit.inbox.shunt(first.id, "a bug", NOW)
        unit.inbox.done(second.id)
        unit.outbox.add([an_answer(word=word) for word in "abcde"], NOW - 3 * DAY)
        lost, late, today, put_off = unit.outbox.claim(4, "x", NOW, NOW + HOUR)()
        unit.outbox.dead(lost.id, "no such user")
        unit.outbox.sent([late.id], NOW - 25 * HOUR)
        unit.outbox.sent([today.id], NOW - 23 * HOUR)
        unit.outbox.deferred(put_off.id, "come again", NOW + HOUR)
        assert unit.statistics.mails(NOW - DAY, tries=1) == MailCounts(
            shunted=1, taken=2, waiting=2, dead=1, sent=1, put_off=1
        )
        assert unit.statistics.mails(NOW - DAY, tries=2).put_off == 0


def test_looks_are_due_up_to_now_and_the_next_is_the_earliest(begin: Begin) -> None:
    with begin() as unit:
        both = add_players(unit, "alice", "bob")
        assert unit.statistics.looks(NOW) == LookCounts(0, None)
        for number, at in ((101, NOW - HOUR), (102, NOW), (103, NOW + HOUR), (104, None)):
            unit.matches.add(replace(a_match(number, both), look_at=at), START, (0,))
        assert unit.statistics.looks(NOW) == LookCounts(due=2, next=NOW - HOUR)
        assert unit.statistics.looks(NOW - 2 * HOUR) == LookCounts(due=0, next=NOW - HOUR)
