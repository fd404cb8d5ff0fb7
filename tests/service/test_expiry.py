"""What ends by itself: invitations, seeks, and mails that are done; never a match.

tests/conversations/expiry.txt shows how it usually goes.
"""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text

from pbm.domain.invitations import Invitation, InvitationState, Terms
from pbm.domain.pauses import PauseKind
from pbm.domain.player import PlayerState
from pbm.domain.settings import Periods
from pbm.store.database import create_engine
from tests.house import START, HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    return house


def told_by(house: HouseUnderTest, after: timedelta) -> list[str]:
    """Turn the clock to `after` START and remind; return "WHOM: SUBJECT" of each mail."""
    house.clock.now = START + after
    return [f"{mail['To']}: {mail['Subject']}" for mail in house.remind()]


def execute(house: HouseUnderTest, statement: str) -> None:
    engine = create_engine(house.house.settings.database)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def test_time_in_which_clocks_stand_for_everybody_makes_nothing_older(
    house: HouseUnderTest,
) -> None:
    house.mail(ALICE, "gonnect challenge alice alice-pw bob")
    house.mail(ALICE, "olix seek 1 alice alice-pw")
    with house.house.open_unit() as work:
        work.pauses.add(PauseKind.OUTAGE, START + DAY, START + 4 * DAY)
        work.commit()
    assert told_by(house, 17 * DAY - MINUTE) == []
    assert told_by(house, 17 * DAY) == [
        f"{ALICE}: [Gonnect 101] alice - bob",
        f"{BOB}: [Gonnect 101] alice - bob",
    ]
    with house.house.open_unit() as work:
        work.pauses.add(PauseKind.MAINTENANCE, START + 20 * DAY, None)
        work.commit()
    assert told_by(house, 99 * DAY) == []


def test_what_expires_is_listed_before_it_does(house: HouseUnderTest) -> None:
    house.mail(ALICE, "gonnect challenge alice alice-pw bob")
    house.clock.now += DAY
    house.mail(BOB, "olix seek 1 bob bob-pw")
    house.clock.now = START + 40 * DAY
    assert [(d.at - START, d.what, d.player, d.board) for d in house.house.list_what_is_due()] == [
        (14 * DAY, "expired invitation", "alice", 101),
        (31 * DAY, "expired seek", "bob", None),
    ]
    done = house.house.do_what_is_due()
    assert (done["expired invitation"], done["expired seek"]) == (1, 1)
    assert house.house.list_what_is_due() == []


def test_more_invitations_than_a_batch_holds_end_in_one_round_each_with_its_mails(
    house: HouseUnderTest,
) -> None:
    game = house.house.catalogue.get("gonnect")
    with house.house.open_unit() as work:
        people = [work.players.by_userid(userid) for userid in ("alice", "bob")]
        alice, bob = (player.id for player in people if player)
        for _ in range(205):
            number, setup = work.next_number(), game.info.setup()
            seats, agreed = (alice, bob), frozenset({alice})
            work.invitations.add(
                Invitation(number, "gonnect", setup, Terms(), seats, alice, agreed, START)
            )
        work.commit()
    told = Counter(told_by(house, 14 * DAY))
    assert (told.total(), set(told.values())) == (410, {1})


def test_what_cannot_be_announced_still_ends_and_holds_up_nothing_else(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    for game in ("gonnect", "morris"):
        house.mail(ALICE, f"{game} challenge alice alice-pw bob")
        house.mail(ALICE, f"{game} seek 1 alice alice-pw")
    execute(house, "UPDATE invitations SET game = 'gone' WHERE game = 'gonnect'")
    execute(house, "UPDATE seeks SET game = 'gone' WHERE game = 'gonnect'")
    assert told_by(house, 30 * DAY) == [
        f"{ALICE}: [Nine Men's Morris 103] alice - bob",
        f"{BOB}: [Nine Men's Morris 103] alice - bob",
        f"{ALICE}: Your seek of Nine Men's Morris is closed",
    ]
    with house.house.open_reading() as work:
        gone = work.invitations.get(101)
        assert work.wishes.seeks() == ()
    assert gone is not None
    assert gone.state is InvitationState.EXPIRED
    assert "the end of invitation 101 cannot be told" in caplog.text


def test_the_seek_of_a_player_who_may_not_play_ends_without_a_word(house: HouseUnderTest) -> None:
    house.mail(BOB, "olix seek 1 bob bob-pw")
    with house.house.open_unit() as work:
        bob = work.players.by_userid("bob")
        assert bob is not None
        work.players.set_state(bob.id, PlayerState.DISABLED)
        work.commit()
    assert told_by(house, 30 * DAY) == []
    with house.house.open_unit() as work:
        work.players.set_state(bob.id, PlayerState.ACTIVE)
        assert work.wishes.seeks() == ()


def rows(house: HouseUnderTest, table: str) -> int:
    engine = create_engine(house.house.settings.database)
    with engine.connect() as connection:
        counted = int(connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one())
    engine.dispose()
    return counted


def test_mails_are_forgotten_once_a_day_when_their_time_is_over(house: HouseUnderTest) -> None:
    def left_after(after: timedelta) -> tuple[int, int]:
        told_by(house, after)
        return rows(house, "inbox"), rows(house, "outbox")

    house.mail(ALICE, "help")
    house.clock.now = START + 18 * HOUR
    house.mail(ALICE, "help")
    # The test begins at noon, so a day in UTC begins here, and another one a day later.
    midnight = 30 * DAY + 12 * HOUR
    assert left_after(midnight - MINUTE - DAY) == (2, 2)
    assert left_after(midnight + MINUTE) == (1, 1)
    assert left_after(midnight + 9 * HOUR) == (1, 1)
    assert left_after(midnight + DAY) == (0, 0)


def test_a_clock_that_runs_a_year_ahead_makes_no_mail_older(house: HouseUnderTest) -> None:
    house.mail(ALICE, "help")
    with house.house.open_unit() as work:
        work.pauses.add(PauseKind.OUTAGE, START + DAY, START + 366 * DAY)
        work.commit()
    for day, left in ((366, 1), (366 + 28, 1), (366 + 30, 0)):
        told_by(house, day * DAY)
        assert (day, rows(house, "inbox"), rows(house, "outbox")) == (day, left, left)


def test_a_request_can_be_confirmed_for_its_whole_time_however_short_mails_are_kept(
    house: HouseUnderTest,
) -> None:
    short = replace(house.house.settings, periods=Periods(keep=7))
    house.house = replace(house.house, settings=short)
    house.mail(ALICE, "add alice alice-pw new@example.org")
    house.mail(BOB, "add bob bob-pw newer@example.org")
    for day in (8, 13):
        told_by(house, day * DAY)
    answers = house.reply(house.last_to("new@example.org"), "yes")
    assert "Your address is confirmed" in [mail["Subject"] for mail in answers]


def test_pruning_is_counted_and_tells_nobody(house: HouseUnderTest) -> None:
    for _ in range(3):
        house.mail(ALICE, "help")
    house.clock.now += 40 * DAY
    assert house.house.list_what_is_due() == []
    # Three mails each way, and their count by the hour.
    assert house.house.do_what_is_due()["pruned"] >= 6
    assert house.deliver() == []
    assert house.house.do_what_is_due() == Counter()


def test_a_finished_match_is_shown_listed_and_replayed_years_after(house: HouseUnderTest) -> None:
    house.begin_match()
    house.reply(house.last_to(ALICE), "C3")
    house.reply(house.last_to(BOB), "D4")
    house.reply(house.last_to(ALICE), "resign")
    ways = ("show 101", "gonnect history", "record 101")
    before = {way: house.mail(BOB, way)[0] for way in ways}
    for year in range(1, 6):
        told_by(house, year * 365 * DAY)
    assert rows(house, "inbox") + rows(house, "outbox") == 0
    for way in ways:
        (mail,) = house.mail(BOB, way)
        assert text_of(mail) == text_of(before[way])
        assert [a.get_content() for a in mail.iter_attachments()] == [
            a.get_content() for a in before[way].iter_attachments()
        ]
