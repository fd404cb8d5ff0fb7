"""Reminders and forfeits, tested through the house: what happens when things are late or wrong."""

import logging
from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text

from pbm.domain.logs import EntryKind
from pbm.domain.mail import ReceivedMail
from pbm.domain.match import Ending, Match
from pbm.domain.timekeeping import forfeit
from pbm.service.boards import Boards
from pbm.service.ports import Conflict
from pbm.store.database import create_engine
from tests.house import ADDRESS, START, HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with a match of alice and bob on board 101, alice to move since START."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob", "carol")
    begin(house, "bob", "-size=5")
    return house


def begin(house: HouseUnderTest, opponent: str, options: str = "") -> None:
    house.mail(ALICE, f"gonnect challenge alice alice-pw {opponent} {options}")
    house.reply(house.last_to(f"{opponent}@example.org"), "accept")


def on_day(house: HouseUnderTest, day: float) -> list[str]:
    """Turn the clock to `day` days after START and remind; return who is told of boards."""
    house.clock.now = START + day * DAY
    return [str(mail["To"]) for mail in house.remind()]


def match_of(house: HouseUnderTest, number: int = 101) -> Match:
    with house.house.open_reading() as work:
        found = work.matches.get(number)
    assert found is not None
    return found[0]


def test_a_scheduler_that_was_away_for_a_month_warns_first_and_forfeits_two_days_later(
    house: HouseUnderTest,
) -> None:
    assert on_day(house, 31) == [ALICE]
    assert "if you do not move by Wed 23 Dec 2026 12:00 UTC, you lose" in " ".join(
        text_of(house.last_to(ALICE)).split()
    )
    assert on_day(house, 32.9) == []
    assert on_day(house, 33) == [ALICE, BOB]


def test_a_warning_that_is_a_day_late_leaves_the_moment_that_the_nag_named(
    house: HouseUnderTest,
) -> None:
    assert on_day(house, 7) == [ALICE]
    assert on_day(house, 20) == [ALICE]
    assert on_day(house, 20.99) == []
    assert on_day(house, 21) == [ALICE, BOB]


def test_a_warning_that_would_leave_hours_gives_two_days(house: HouseUnderTest) -> None:
    assert on_day(house, 7) == [ALICE]
    assert on_day(house, 20.9) == [ALICE]
    assert on_day(house, 22.8) == []
    assert on_day(house, 22.9) == [ALICE, BOB]


def test_a_move_after_the_warning_begins_a_new_turn_with_all_its_reminders(
    house: HouseUnderTest,
) -> None:
    assert on_day(house, 7) == [ALICE]
    assert on_day(house, 19) == [ALICE]
    house.reply(house.last_to(ALICE), "C3")
    assert on_day(house, 25) == []
    assert on_day(house, 26) == [BOB]
    assert on_day(house, 38) == [BOB]
    assert on_day(house, 40) == [ALICE, BOB]


def test_a_reply_to_the_last_reminder_plays_although_the_scheduler_is_late(
    house: HouseUnderTest,
) -> None:
    on_day(house, 19)
    house.clock.now = START + 30 * DAY
    told = house.reply(house.last_to(ALICE), "C3")
    assert "You played C3." in text_of(told[0])
    assert on_day(house, 30) == []


def test_nobody_forfeits_while_a_mail_waits_that_came_in_time(house: HouseUnderTest) -> None:
    on_day(house, 19)
    token = str(house.last_to(ALICE)["Reply-To"]).strip("<>")
    reply = f"From: {ALICE}\r\nTo: {token}\r\nSubject: Re: x\r\n\r\nC3\r\n".encode()
    house.clock.now = START + 20.9 * DAY
    house.house.inbox.put([ReceivedMail(ALICE, (token,), reply, house.clock())])
    assert on_day(house, 21.5) == []
    assert match_of(house).outcome is None
    assert [str(m["To"]) for m in house.play()] == [ALICE, BOB]
    assert on_day(house, 21.5) == []


def test_a_mail_that_came_too_late_does_not_hold_the_forfeit_up(house: HouseUnderTest) -> None:
    on_day(house, 19)
    house.clock.now = START + 21.2 * DAY
    late = f"From: {BOB}\r\nTo: {ADDRESS}\r\nSubject: help\r\n\r\n".encode()
    house.house.inbox.put([ReceivedMail(BOB, (ADDRESS,), late, house.clock())])
    assert on_day(house, 21.3) == [ALICE, BOB]


def test_the_forfeit_stands_in_the_log_and_is_won_by_the_other(house: HouseUnderTest) -> None:
    on_day(house, 19)
    on_day(house, 21)
    match = match_of(house)
    assert match.outcome is not None
    assert (match.outcome.ending, match.outcome.winners) == (Ending.FORFEITED, (1,))
    assert [(entry.kind, entry.seat) for entry in match.log] == [(EntryKind.FORFEIT, 0)]
    assert match.ended_at == START + 21 * DAY


@pytest.mark.parametrize("offer", ["draw", "undo"])
def test_an_offer_shields_nobody(house: HouseUnderTest, offer: str) -> None:
    house.reply(house.last_to(ALICE), "C3")
    house.reply(house.last_to(BOB), "D4")
    house.reply(house.last_to(ALICE), offer)
    assert on_day(house, 7) == [ALICE]
    assert on_day(house, 19) == [ALICE]
    assert on_day(house, 21) == [ALICE, BOB]


def test_twenty_boards_that_wait_are_one_mail_and_one_the_next_day_for_what_comes_later(
    house: HouseUnderTest,
) -> None:
    """A board begins every three hours; the reminders of one day come together, not one by one."""
    for _ in range(19):
        house.clock.now += timedelta(hours=3)
        begin(house, "carol", "-size=5")
    told = [on_day(house, 7 + hour / 24) for hour in range(0, 72, 1)]
    mails = [hour for hour, to in enumerate(told) if to]
    assert [hour for hour, to in enumerate(told) if len(to) > 1] == []
    # Nags are due from hour 0 to hour 57, and each mail includes those of the next day.
    assert mails == [0, 27, 54]


def test_a_match_that_is_nagged_after_a_day_is_not_reminded_at_once_by_another(
    house: HouseUnderTest,
) -> None:
    """A reminder may come early, but by a seventh of the nagtime at most."""
    house.clock.now = START + 6.5 * DAY
    begin(house, "carol", "-size=5 --nagtime=1 --forfeittime=4")
    assert on_day(house, 7) == [ALICE]
    assert "Gonnect 101" in str(house.last_to(ALICE)["From"])


def test_forfeittimes_of_one_and_two_days_give_one_reminder_each(house: HouseUnderTest) -> None:
    begin(house, "carol", "-size=5 --nagtime=1 --forfeittime=2")
    assert on_day(house, 0.9) == []
    assert on_day(house, 1) == [ALICE]
    assert on_day(house, 1.9) == []
    assert on_day(house, 2) == [ALICE, "carol@example.org"]


def test_the_second_one_to_save_a_match_must_look_again(house: HouseUnderTest) -> None:
    """On PostgreSQL a move and a reminder can collide; the one that comes second starts again."""
    house.clock.now = START + 19 * DAY
    with house.house.open_unit() as work:
        boards = Boards(work, house.house.services.catalogue, house.clock())
        stale = boards.get(101)
    assert on_day(house, 19) == [ALICE]
    with house.house.open_unit() as work:
        boards = Boards(work, house.house.services.catalogue, house.clock())
        after = forfeit(stale, 0, now=house.clock())
        with pytest.raises(Conflict):
            boards.save(stale, after)


def test_a_game_that_is_gone_holds_no_other_board_up(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    begin(house, "carol", "-size=5")
    engine = create_engine(house.house.settings.database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE matches SET game = 'gone' WHERE number = 101"))
    engine.dispose()
    with caplog.at_level(logging.ERROR):
        assert on_day(house, 7) == [ALICE]
    assert "Gonnect 102" in str(house.last_to(ALICE)["From"])
    assert "board 101 cannot be looked at" in caplog.text
    assert on_day(house, 19) == [ALICE]


def test_a_dry_run_tells_all_and_changes_nothing(house: HouseUnderTest) -> None:
    def listed() -> list[tuple[str, str, int | None]]:
        return [(due.what, due.player, due.board) for due in house.house.list_what_is_due()]

    assert listed() == []
    house.clock.now = START + 7 * DAY
    assert listed() == [("nag", "alice", 101)]
    assert listed() == [("nag", "alice", 101)]
    assert house.deliver() == []
    on_day(house, 19)
    assert listed() == []
    house.clock.now = START + 21 * DAY
    assert listed() == [("forfeit", "alice", 101)]
    assert not match_of(house).over


@pytest.mark.parametrize(
    "write",
    [
        lambda house: house.mail(BOB, "draw 101 bob bob-pw"),
        lambda house: house.mail(BOB, "chat 101 bob bob-pw", "Are you there?"),
        lambda house: house.mail(ALICE, "queue 101 alice alice-pw C3 if D4"),
    ],
    ids=["an offer", "a chat", "a queued move"],
)
def test_what_is_no_turn_leaves_clock_and_reminders_as_they_are(
    house: HouseUnderTest, write: Callable[[HouseUnderTest], object]
) -> None:
    assert on_day(house, 7) == [ALICE]
    write(house)
    assert on_day(house, 8) == []
    assert on_day(house, 19) == [ALICE]
    write(house)
    assert on_day(house, 20) == []
    assert on_day(house, 21) == [ALICE, BOB]


def test_a_clock_that_is_put_back_after_a_move_gives_nobody_extra_time(
    house: HouseUnderTest,
) -> None:
    house.clock.now = START + 60 * DAY
    house.reply(house.last_to(ALICE), "C3")
    house.clock.now = START
    with house.house.open_unit() as work:
        work.matches.look_soon(None, house.clock())
        work.commit()
    assert on_day(house, 0) == []
    assert on_day(house, 7) == [BOB]
    assert on_day(house, 19) == [BOB]
    assert on_day(house, 21) == [ALICE, BOB]


def test_a_job_that_meets_a_bug_stops_no_other_job(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    """The test has an invitation that cannot be read, as after a bug in an earlier version."""
    house.mail(ALICE, "gonnect challenge alice alice-pw carol")
    engine = create_engine(house.house.settings.database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE invitations SET terms = '{'"))
    engine.dispose()
    house.clock.now = START + 20 * DAY
    with caplog.at_level(logging.ERROR):
        done = house.house.do_what_is_due()
    assert (done["warning"], done["bug"]) == (1, 1)
    assert "met a bug" in caplog.text
    assert "JSONDecodeError" in caplog.text
