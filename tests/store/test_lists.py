"""Lists of boards and players, and figures: which rows, in which order."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbm.domain.invitations import Answer, Invitation, InvitationState, Seek, Stance, Terms
from pbm.domain.match import Ending, Outcome
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerId, PlayerKind, PlayerState
from pbm.domain.ratings import Rating, RatingChange
from pbm.engine import Setup
from tests.doors import UnitOfWork, letterbox, ports
from tests.readings import answers
from tests.store.conftest import Begin
from tests.store.samples import NOW, START, a_mail, a_match, add_players, an_answer

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
CHANGE = RatingChange(Rating(1500.25), Rating(1612.1, 250.7, 0.059, 1))
WON = Outcome(Ending.RULES, (1,), "row", (3, 4), (CHANGE, CHANGE))
DRAWN = Outcome(Ending.AGREED)

# number, game, players, outcome, days after which it ended
BOARDS = (
    (101, "noughts", ("alice", "bob"), WON, 5),
    (102, "noughts", ("bob", "carl"), None, None),
    (103, "hex", ("carl", "alice"), DRAWN, 9),
    (104, "hex", ("alice", "bob"), WON, 5),
    (105, "hex", ("alice", "alice"), None, None),
    (106, "hex", ("carl", "bob"), None, None),
)

LISTS = Path(__file__).with_name("lists.txt").read_text()


Boards = tuple[UnitOfWork, dict[str, int]]


@pytest.fixture
def boards(begin: Begin) -> Iterator[Boards]:
    """Yield a unit of work with these boards, and the ids of their players."""
    names = ("alice", "bob", "carl")
    with begin() as unit:
        ids = dict(zip(names, add_players(unit, *names), strict=True))
        for number, game, players, outcome, days in reversed(BOARDS):
            match = a_match(number, [ids[name] for name in players], game)
            ended = None if days is None else NOW + days * DAY
            match = replace(match, outcome=outcome, ended_at=ended)
            unit.matches.add(match, START, () if outcome else (0,))
        yield unit, ids


def test_lists_have_the_boards_that_are_asked_for(boards: Boards) -> None:
    unit, ids = boards

    def numbers(what: str, words: str) -> str:
        said = dict(word.split("=") for word in words.split())
        wanted: dict[str, Any] = {
            key: bool(said[key]) for key in ("over", "to_move") if key in said
        }
        players = [ids[name] for name in said.get("players", "").split(",") if name]
        game, limit = said.get("game"), int(said.get("limit", 9))
        if what == "history":
            rows: Any = unit.matches.history(game, players, limit=limit)
        else:
            rows = unit.matches.listing(game, players, limit=limit, **wanted)
            assert unit.matches.count(game, players, **wanted) == len(rows) or "limit" in said
        return " ".join(str(row.number) for row in rows) or "none"

    assert answers(LISTS, numbers) == LISTS


def test_a_line_tells_who_plays_and_how_it_stands_or_ended(boards: Boards) -> None:
    unit, ids = boards
    listed = {row.number: row for row in unit.matches.listing()}
    assert listed[103] == ports.MatchRow(103, "hex", ("carl", "alice"), 0, (), NOW, over=True)
    assert listed[105] == ports.MatchRow(105, "hex", ("alice", "alice"), 0, (0,), NOW, over=False)
    (row,) = unit.matches.history("hex", [ids["carl"]], limit=9)
    assert row == ports.HistoryRow(103, "hex", ("carl", "alice"), 0, DRAWN, NOW + 9 * DAY)
    (row,) = unit.matches.history("noughts", [ids["alice"]], limit=9)
    assert row.outcome == WON
    assert unit.matches.census() == {
        "noughts": ports.GameCounts(open=1, over=1, players=2),
        "hex": ports.GameCounts(open=2, over=2, players=3),
    }


STRONG = Rating(1812.3456789012345, 61.1, 0.059999, won=9, lost=2, drawn=1, updated_at=NOW)
FAIR = replace(STRONG, rating=1600.0)


def test_standings_have_people_who_can_play_by_rating_and_the_older_among_equals(
    boards: Boards,
) -> None:
    unit, ids = boards
    names = ("dora", "gone", "disabled")
    ids |= dict(zip(names, add_players(unit, *names), strict=True))
    ids["robot"] = unit.players.add("robot-1", "", (), NOW, PlayerKind.ROBOT).id
    for name, rating in zip(
        ids, (FAIR, STRONG, FAIR, replace(FAIR, rating=9), *[STRONG] * 3), strict=True
    ):
        unit.ratings.save("hex", ids[name], None, rating)
    unit.ratings.save("noughts", ids["alice"], None, STRONG)
    unit.players.set_state(ids["gone"], PlayerState.GONE)
    unit.players.set_state(ids["disabled"], PlayerState.DISABLED)
    unit.wishes.set_stance("hex", ids["alice"], Stance(Answer.ACCEPT, 4))
    unit.wishes.set_seek(Seek(107, ids["bob"], "hex", Setup({}, 1), Terms(), 3, NOW))
    unit.wishes.set_seek(Seek(108, ids["carl"], "noughts", Setup({}, 1), Terms(), 3, NOW))
    # A board whose two sides are one player is one board.
    rows = (
        ports.StandingRow(ids["bob"], "bob", STRONG, active=1, limit=None, seeking=3),
        ports.StandingRow(ids["alice"], "alice", FAIR, active=1, limit=4, seeking=0),
        ports.StandingRow(ids["carl"], "carl", FAIR, active=1, limit=None, seeking=0),
    )
    assert unit.ratings.standings("hex")[:3] == rows
    assert [row.userid for row in unit.ratings.standings("hex")[3:]] == ["dora"]
    assert unit.ratings.standings("hex", limit=2) == rows[:2]
    assert unit.ratings.standings("pow2") == ()
    assert unit.wishes.active_boards("hex", ids["alice"]) == 1
    assert unit.ratings.of("hex", [*ids.values()])[ids["gone"]] == STRONG


def add_board(
    unit: UnitOfWork, number: int, players: tuple[PlayerId, ...], game: str = "noughts", *,
    age: int = 0, ended: int | None = None,
) -> None:  # fmt: skip
    """Store a board that was started `age` days ago and has been over for `ended` days."""
    match = replace(a_match(number, players, game), started_at=NOW - age * DAY)
    if ended is not None:
        match = replace(match, outcome=Outcome(Ending.AGREED), ended_at=NOW - ended * DAY)
    unit.matches.add(match, START, () if match.over else (0,))


def test_boards_are_counted_by_game_and_players_by_state(unit: UnitOfWork) -> None:
    alice, bob, carl, dora = add_players(unit, "alice", "bob", "carl", "dora")
    both = (alice, bob)
    unit.players.set_state(carl, PlayerState.DISABLED)
    unit.players.set_state(dora, PlayerState.GONE)
    add_board(unit, 101, both, age=40, ended=31)
    add_board(unit, 102, both, age=40, ended=29)
    add_board(unit, 103, both, age=31)
    add_board(unit, 104, both, age=29)
    add_board(unit, 105, (alice, dora), "hex", age=1, ended=0)
    # Recent ones are counted a second time.
    assert unit.statistics.boards(NOW - 30 * DAY) == {
        "noughts": ports.BoardCounts(open=2, over=2, started=1, ended=1),
        "hex": ports.BoardCounts(open=0, over=1, started=1, ended=1),
    }
    states = {PlayerState.ACTIVE: 2, PlayerState.DISABLED: 1, PlayerState.GONE: 1}
    assert unit.statistics.players() == states
    assert unit.statistics.playing() == 2


def test_a_player_is_away_from_the_beginning_of_a_pause_up_to_its_end(unit: UnitOfWork) -> None:
    alice, bob, carl = add_players(unit, "alice", "bob", "carl")
    away, lost = PauseKind.VACATION, PauseKind.UNREACHABLE
    for kind, began, until, player in (
        (away, NOW, NOW + DAY, alice),
        (away, NOW - HOUR, NOW + HOUR, alice),
        (away, NOW - DAY, NOW, bob),
        (lost, NOW - DAY, None, bob),
        (away, NOW + HOUR, None, bob),
        (PauseKind.OUTAGE, NOW - DAY, NOW + DAY, None),
        (away, NOW - DAY, NOW + DAY, carl),
    ):
        unit.pauses.add(kind, began, until, player)
    unit.players.set_state(carl, PlayerState.GONE)
    assert unit.statistics.away(NOW) == {away: 1, lost: 1}


def test_open_invitations_and_seeks_of_active_players_are_wanted(unit: UnitOfWork) -> None:
    alice, bob = add_players(unit, "alice", "bob")
    for number, state in ((101, InvitationState.OPEN), (102, InvitationState.STARTED)):
        both, setup = (alice, bob), Setup({})
        invitation = Invitation(
            number, "hex", setup, Terms(), both, alice, frozenset({alice}), NOW, state
        )
        unit.invitations.add(invitation)
    for player in (alice, bob):
        unit.wishes.set_seek(Seek(player, player, "hex", Setup({}), Terms(), 3, NOW))
    unit.wishes.set_seek(Seek(104, alice, "noughts", Setup({}), Terms(), 1, NOW))
    unit.players.set_state(bob, PlayerState.DISABLED)
    assert unit.statistics.wanted() == (1, 2)


def test_mails_are_counted_by_what_became_of_them(begin: Begin, engine: Any) -> None:
    for hours in (25, 23, 1):
        mail = replace(a_mail(b"%d" % hours), received_at=NOW - hours * HOUR)
        letterbox(engine).put([mail])
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
        assert unit.statistics.mails(NOW - DAY) == ports.MailCounts(
            shunted=1, taken=2, waiting=2, dead=1, sent=1
        )
