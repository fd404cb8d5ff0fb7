"""Due work that no conversation can show: outages, many deadlines, rows that are deleted.

tests/conversations/outages.txt and expiry.txt have the others.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from pbm.core.context import context_without_mail
from pbm.core.open_boards import deadlines_of
from pbm.dispatch.jobs import do_what_is_due
from pbm.domain.invitations import Invitation, Terms
from pbm.domain.settings import Periods
from pbm.domain.timekeeping import schedule
from pbm.server.relay import open_relay
from tests.conversations.conversation import prepare
from tests.doors import StoreUnavailable
from tests.house import START, HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
OURS = ("intake", "play", "deliver")
SILENT = [f"{ALICE}: The server could not be reached", f"{BOB}: The server could not be reached"]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with a match of alice and bob on board 101, alice to move since START."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    house.begin_match()
    return house


@pytest.fixture
def relay(house: HouseUnderTest) -> Callable[[], int]:
    """Return what gives waiting mails to a relay, which fails while a file is in its place."""
    mails = house.folder / "mail"
    mails.touch()
    relay = open_relay(f"maildir:{mails}", "games.example.org")
    return lambda: house.house.deliver_waiting(relay)


def beat(house: HouseUnderTest, day: float, *parts: str, days: int = 0) -> None:
    house.clock.now = START + day * DAY
    house.beat(*parts, days=days)


def day_of_silence(house: HouseUnderTest) -> float | None:
    since = house.house.silent_since()
    return None if since is None else (since - START) / DAY


def test_a_drill_runs_although_nobody_gives_signs_of_life_at_its_time(
    house: HouseUnderTest,
) -> None:
    beat(house, 0)
    house.clock.now = START + 8 * DAY
    assert house.house.do_what_is_due().total() == 0
    assert house.house.do_what_is_due(drill=True)["nag"] == 1


def test_interrupted_news_go_on_where_they_stopped(house: HouseUnderTest) -> None:
    """Of 151 players a hundred are told before the database fails, and the others afterwards."""
    names = [f"player{number}" for number in range(149)]
    house.add(*names)
    for name in names:
        house.create_match("alice", name)
    house.deliver()
    beat(house, 1)
    beat(house, 2, days=365)
    opened = 0

    def open_unit() -> Any:
        nonlocal opened
        opened += 1
        if opened == 2:
            raise StoreUnavailable("the database is away")
        return house.house.open_unit()

    with suppress(StoreUnavailable):
        do_what_is_due(open_unit, house.house.services, house.clock())
    before = [str(mail["To"]) for mail in house.deliver()]
    after = [str(mail["To"]) for mail in house.remind()]
    assert (len(before), len(after)) == (100, 51)
    assert len({*before, *after}) == 151


def test_a_relay_that_fails_for_days_moves_deadlines_and_holds_reminders(
    house: HouseUnderTest, relay: Callable[[], int]
) -> None:
    beat(house, 7, "relay")
    beat(house, 7, *OURS, days=365)
    house.house.do_what_is_due()
    assert relay() == 1
    for day in (8, 11):
        beat(house, day, *OURS, "relay", days=365)
        assert relay() == 1
        assert day_of_silence(house) == 7
    assert "until Fri 11 Dec 2026 12:00 UTC" in shown(house), "nothing is given back yet"
    (house.folder / "mail").unlink()
    house.clock.now = START + 11.2 * DAY
    assert relay() == 1
    beat(house, 11.2, days=365)
    assert [f"{mail['To']}: {mail['Subject']}" for mail in house.remind()] == SILENT
    # 21 days from 20 Nov 12:00, and the 4.2 days for which the relay failed.
    assert "until Tue 15 Dec 2026 16:48 UTC" in shown(house)


def shown(house: HouseUnderTest) -> str:
    return " ".join(text_of(house.mail(ALICE, "show 101")[-1]).split())


def test_a_relay_that_failed_and_has_nothing_left_to_take_holds_nothing_up(
    house: HouseUnderTest, relay: Callable[[], int]
) -> None:
    beat(house, 7)
    house.house.do_what_is_due()
    relay()
    prepare(house, "$ pbm outbox drop 5")  # after the four of the beginning
    beat(house, 9, days=365)
    assert day_of_silence(house) is None
    assert "until Sun 13 Dec 2026 12:00 UTC" in shown(house)


def test_a_relay_that_failed_while_the_time_was_ahead_still_fails_when_it_is_put_back(
    house: HouseUnderTest, relay: Callable[[], int]
) -> None:
    beat(house, 40)
    house.house.do_what_is_due()
    assert relay() == 1
    for day in (2, 2.1):
        beat(house, day, days=365)
    house.clock.now = START + 2.2 * DAY
    assert day_of_silence(house) == 2


def test_mails_composed_in_a_time_that_has_not_come_go_out_at_once(house: HouseUnderTest) -> None:
    beat(house, 1)
    beat(house, 40)
    house.house.do_what_is_due()
    beat(house, 2, days=365)
    assert [f"{mail['To']}: {mail['Subject']}" for mail in house.deliver()] == SILENT


# ---- the table of boards

PLAY = {101: ["C3", "C4"], 102: ["C3"], 103: ["C3", "C4", "D4"], 104: []}
"""Boards, and the moves that are played there, a day apart."""


def test_many_clocks_read_at_once_tell_what_each_board_tells(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    for number in PLAY:
        terms = ({"totaltime": "30"}, {"forfeittime": "5"}, {"time": "4d+12h/14d"})
        house.create_match("alice", "bob", terms=terms[number % 3])
        prepare(house, f"$ pbm game extend {number} 2")
    for ply, mover in enumerate(("alice", "bob", "alice")):
        house.clock.now += DAY
        for number, moves in PLAY.items():
            for move in moves[ply : ply + 1]:
                prepare(house, f"{mover}> move {number} {mover} {mover}-pw {move}")
    prepare(
        house,
        "$ pbm game extend 101 3\n$ pbm game extend 102 4\n$ pbm game pause 103\n"
        "$ pbm game pause 104\n+ 1 days\n$ pbm game resume 104\n"
        "bob> vacation bob bob-pw 4 days\n+ 1 days",
    )
    with house.house.open_reading() as work:
        context = context_without_mail(house.house.services, work, house.clock())
        told = deadlines_of(context, work.matches.listing())
        read = [(number, work.matches.get(number)) for number in PLAY]
    assert told == {
        number: schedule(found[0], found[0].players[len(PLAY[number]) % 2]).forfeit_at
        for number, found in read
        if found
    }
    assert told[103] is None
    assert len({*told.values()}) == len(told), "each of them has a time of its own"


# ---- what ends by itself, and what is forgotten


def sql(house: HouseUnderTest, statement: str) -> list[Any]:
    with closing(sqlite3.connect(house.folder / "pbm.db")) as database, database:
        return database.execute(statement).fetchall()


def mails_kept(house: HouseUnderTest, after: timedelta) -> tuple[int, int]:
    """Turn the clock to `after` START and remind; return how many mails are still stored."""
    house.clock.now = START + after
    house.remind()
    return tuple(sql(house, f"SELECT count(*) FROM {table}")[0][0] for table in ("inbox", "outbox"))


@pytest.fixture
def quiet(tmp_path: Path) -> HouseUnderTest:
    """Return a house where nothing has happened."""
    (tmp_path / "quiet").mkdir()
    house = HouseUnderTest(tmp_path / "quiet")
    house.add("alice", "bob")
    return house


def test_more_invitations_than_a_batch_holds_end_in_one_round_each_with_its_mails(
    quiet: HouseUnderTest,
) -> None:
    game = quiet.house.catalogue.get("gonnect")
    with quiet.house.open_unit() as work:
        alice, bob = (player.id for player in work.players.listing())
        for _ in range(205):
            number, seats = work.next_number(), (alice, bob)
            invited = game.info.setup(), Terms(), seats, alice, frozenset({alice}), START
            work.invitations.add(Invitation(number, "gonnect", *invited))
        work.commit()
    quiet.clock.now += 14 * DAY
    told = Counter((mail["To"], mail["Subject"]) for mail in quiet.remind())
    assert (told.total(), set(told.values())) == (410, {1})


def test_what_cannot_be_announced_still_ends_and_holds_up_nothing_else(
    quiet: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    for game in ("gonnect", "morris"):
        quiet.mail(ALICE, f"{game} challenge alice alice-pw bob")
        quiet.mail(ALICE, f"{game} seek 1 alice alice-pw")
    for table in ("invitations", "seeks"):
        sql(quiet, f"UPDATE {table} SET game = 'gone' WHERE game = 'gonnect'")
    quiet.clock.now += 30 * DAY
    assert [f"{mail['To']}: {mail['Subject']}" for mail in quiet.remind()] == [
        f"{ALICE}: [Nine Men's Morris 103] alice - bob",
        f"{BOB}: [Nine Men's Morris 103] alice - bob",
        f"{ALICE}: Your seek for Nine Men's Morris has ended",
    ]
    assert sql(quiet, "SELECT state FROM invitations WHERE number = 101") == [("expired",)]
    assert sql(quiet, "SELECT * FROM seeks") == []
    assert "the end of invitation 101 cannot be told" in caplog.text


def test_mails_are_forgotten_once_a_day_when_their_time_is_over(quiet: HouseUnderTest) -> None:
    quiet.mail(ALICE, "help")
    quiet.clock.now = START + 18 * HOUR
    quiet.mail(ALICE, "help")
    # The test begins at noon, so a day in UTC begins here, and another one a day later.
    midnight = 30 * DAY + 12 * HOUR
    assert mails_kept(quiet, midnight - MINUTE - DAY) == (2, 2)
    assert mails_kept(quiet, midnight + MINUTE) == (1, 1)
    assert mails_kept(quiet, midnight + 9 * HOUR) == (1, 1)
    assert mails_kept(quiet, midnight + DAY) == (0, 0)


def test_a_clock_that_runs_a_year_ahead_makes_no_mail_older(quiet: HouseUnderTest) -> None:
    quiet.mail(ALICE, "help")
    beat(quiet, 1)
    beat(quiet, 366, days=3650)
    told = len(quiet.remind())
    for day, left in ((366, 1), (366 + 28, 1), (366 + 30, 0)):
        kept = mails_kept(quiet, day * DAY)
        assert (day, *kept) == (day, left, left + (told if day < 396 else 0))


def test_a_request_can_be_confirmed_for_its_whole_time_however_short_mails_are_kept(
    quiet: HouseUnderTest,
) -> None:
    short = replace(quiet.house.settings, periods=Periods(keep=7))
    quiet.house = replace(quiet.house, settings=short)
    quiet.mail(ALICE, "add alice alice-pw new@example.org")
    quiet.mail(BOB, "add bob bob-pw newer@example.org")
    for day in (8, 13):
        mails_kept(quiet, day * DAY)
    answers = quiet.reply(quiet.last_to("new@example.org"), "yes")
    assert "Your address is confirmed" in [mail["Subject"] for mail in answers]


def test_pruning_is_counted_and_tells_nobody(quiet: HouseUnderTest) -> None:
    for _ in range(3):
        quiet.mail(ALICE, "help")
    quiet.clock.now += 40 * DAY
    assert quiet.house.list_what_is_due() == []
    # Three mails each way, and their count by the hour.
    assert quiet.house.do_what_is_due()["pruned"] >= 6
    assert quiet.deliver() == []
    assert quiet.house.do_what_is_due() == Counter()


def test_a_finished_match_is_shown_listed_and_replayed_years_after(house: HouseUnderTest) -> None:
    prepare(house, "alice replies> C3\nbob replies> D4\nalice replies> resign")
    ways = ("show 101", "gonnect history", "record 101")
    before = {way: house.mail(BOB, way)[0] for way in ways}
    for year in range(1, 6):
        mails_kept(house, year * 365 * DAY)
    assert mails_kept(house, 5 * 365 * DAY) == (0, 0)
    for way in ways:
        (mail,) = house.mail(BOB, way)
        assert text_of(mail) == text_of(before[way])
        assert [a.get_content() for a in mail.iter_attachments()] == [
            a.get_content() for a in before[way].iter_attachments()
        ]
