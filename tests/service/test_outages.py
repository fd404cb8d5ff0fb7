"""After the server or its relay was silent, the time is given back and everybody is told once."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbm.dispatch.jobs import do_what_is_due
from pbm.domain.pauses import PauseKind
from pbm.operator.administration import Administration
from pbm.relay import open_relay
from pbm.service.heartbeat import ALL_PARTS, RELAY, SERVING, restart_clocks, stop_clocks
from pbm.service.ports import StoreUnavailable
from pbm.store.unit import UnitOfWork
from tests.house import START, HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OURS = tuple(part for part in ALL_PARTS if part != RELAY)
FOR_LONG = 365 * DAY


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house with a match of alice and bob on board 101, alice to move since START."""
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"))
    house.add("alice", "bob")
    begin(house, "bob")
    return house


def begin(house: HouseUnderTest, opponent: str) -> None:
    house.mail(ALICE, f"gonnect challenge alice alice-pw {opponent} -size=5")
    house.reply(house.last_to(f"{opponent}@example.org"), "accept")


def beat(
    house: HouseUnderTest, day: float, parts: Iterable[str] = ALL_PARTS,
    good_for: timedelta = SERVING,
) -> None:  # fmt: skip
    """Turn the clock to `day` days after START and give a sign of life good for `good_for`."""
    house.clock.now = START + day * DAY
    house.house.beat(parts, good_for)


def on_day(house: HouseUnderTest, day: float) -> list[str]:
    """Turn the clock and remind; return who is told what."""
    house.clock.now = START + day * DAY
    return [f"{mail['To']}: {mail['Subject']}" for mail in house.remind()]


def told(house: HouseUnderTest, address: str) -> str:
    """Return the newest mail to `address`, with white space folded."""
    return " ".join(text_of(house.last_to(address)).split())


def outages(house: HouseUnderTest) -> list[tuple[float, float]]:
    """Return from which day to which clocks stood because of outages that were not taken back.

    Days are exact to a thousandth, which is a minute and a half.
    """
    with house.house.open_reading() as work:
        pauses = [p for p in work.pauses.of(None) if p.kind is PauseKind.OUTAGE]
    spans = [(day_of(pause.began_at), day_of(pause.until)) for pause in pauses]
    assert all(began <= until for began, until in spans)
    return [(began, until) for began, until in spans if began < until]


def day_of(moment: datetime | None) -> float:
    assert moment is not None
    return round((moment - START) / DAY, 3)


def of_boards(told: list[str]) -> int:
    """Return how many of the mails are about one board."""
    return sum(": [Gonnect" in one for one in told)


SILENT = [f"{ALICE}: The server was silent", f"{BOB}: The server was silent"]


def test_a_server_that_is_down_over_a_deadline_moves_it_and_tells_everybody_once(
    house: HouseUnderTest,
) -> None:
    begin(house, "bob")
    on_day(house, 7)
    on_day(house, 19)
    beat(house, 20)
    beat(house, 23, good_for=FOR_LONG)
    assert on_day(house, 23) == SILENT
    assert "from Thu 10 Dec 2026 12:00 UTC to Sun 13 Dec 2026 12:00 UTC" in told(house, ALICE)
    assert (
        "These boards wait for your move: "
        "101 Gonnect, against bob: by Mon 14 Dec 2026 12:00 UTC "
        "102 Gonnect, against bob: by Mon 14 Dec 2026 12:00 UTC "
        "To see one, reply for example show 101" in told(house, ALICE)
    )
    assert "No board waits for your move right now." in told(house, BOB)
    assert on_day(house, 23.99) == []
    assert of_boards(on_day(house, 24)) == 4


def test_a_reply_to_the_news_shows_a_board_without_a_password(house: HouseUnderTest) -> None:
    beat(house, 1)
    beat(house, 2, good_for=FOR_LONG)
    on_day(house, 2)
    (shown,) = house.reply(house.last_to(ALICE), "show 101")
    assert "Sat 12 Dec 2026 12:00 UTC" in text_of(shown)


def test_while_a_part_is_silent_nobody_is_reminded_or_forfeits(house: HouseUnderTest) -> None:
    on_day(house, 19)
    beat(house, 20)
    beat(house, 20.5, ["intake"], FOR_LONG)
    assert on_day(house, 25) == []
    assert house.house.silent_since() == START + 20 * DAY
    beat(house, 26, good_for=FOR_LONG)
    assert house.house.silent_since() is None
    assert on_day(house, 26) == SILENT
    assert "by Thu 17 Dec 2026 12:00 UTC" in told(house, ALICE)


def test_a_drill_runs_although_nobody_gives_signs_of_life_at_its_time(
    house: HouseUnderTest,
) -> None:
    beat(house, 0)
    house.clock.now = START + 8 * DAY
    assert house.house.do_what_is_due().total() == 0
    assert house.house.do_what_is_due(drill=True)["nag"] == 1


def test_a_server_that_never_gave_a_sign_is_not_watched(house: HouseUnderTest) -> None:
    assert house.house.silent_since() is None
    assert len(on_day(house, 7)) == 1
    beat(house, 8)
    assert outages(house) == []


def test_signs_that_come_in_time_are_no_outage_and_the_first_that_is_late_is_one(
    house: HouseUnderTest,
) -> None:
    minute = 1 / 24 / 60
    for late in (0, 1, 4, 7):
        beat(house, late * minute)
    assert outages(house) == []
    beat(house, 10.1 * minute)
    assert outages(house) == [(0.005, 0.007)]


def test_a_short_outage_is_given_back_in_silence(house: HouseUnderTest) -> None:
    hour = 1 / 24
    beat(house, 0)
    beat(house, 0.99 * hour, good_for=FOR_LONG)
    assert on_day(house, 1) == []
    assert on_day(house, 7 + 0.98 * hour) == []
    assert len(on_day(house, 7 + hour)) == 1


def test_parts_that_come_back_one_after_the_other_are_one_outage_told_once(
    house: HouseUnderTest,
) -> None:
    beat(house, 1)
    beat(house, 2, ["intake"], FOR_LONG)
    assert outages(house) == [(1, 2)]
    beat(house, 4, ["play"], FOR_LONG)
    assert outages(house) == [(1, 4)]
    beat(house, 5, ["deliver", RELAY], FOR_LONG)
    assert outages(house) == [(1, 5)]
    assert on_day(house, 5) == SILENT
    assert "to Wed 25 Nov 2026 12:00 UTC" in told(house, BOB)
    assert on_day(house, 5.1) == []


def test_an_outage_that_grows_beyond_an_hour_is_told(house: HouseUnderTest) -> None:
    minute = 1 / 24 / 60
    beat(house, 1)
    beat(house, 1 + 50 * minute, ["intake"], FOR_LONG)
    beat(house, 1 + 70 * minute, good_for=FOR_LONG)
    assert on_day(house, 1.1) == SILENT
    assert "from Sat 21 Nov 2026 12:00 UTC to Sat 21 Nov 2026 13:10 UTC" in told(house, ALICE)


def test_parts_that_fell_silent_one_after_the_other_are_one_outage_from_the_first_on(
    house: HouseUnderTest,
) -> None:
    beat(house, 1)
    beat(house, 1, OURS, DAY)
    beat(house, 1.5, OURS)
    beat(house, 3)
    assert outages(house) == [(1, 3)]


def test_an_outage_that_holds_an_earlier_one_takes_its_place(house: HouseUnderTest) -> None:
    beat(house, 1)
    beat(house, 1, ["intake"], DAY)
    beat(house, 1.5, ["intake"])
    beat(house, 2, ["intake"], FOR_LONG)
    assert outages(house) == [(1.5, 2)]
    beat(house, 3, good_for=FOR_LONG)
    assert outages(house) == [(1, 3)]
    assert on_day(house, 3) == SILENT
    assert "from Sat 21 Nov 2026 12:00 UTC to Mon 23 Nov 2026 12:00 UTC" in told(house, ALICE)
    assert on_day(house, 3.1) == []


def test_two_outages_are_told_one_by_one(house: HouseUnderTest) -> None:
    beat(house, 1)
    beat(house, 2)
    assert on_day(house, 2) == SILENT
    beat(house, 4, good_for=FOR_LONG)
    assert on_day(house, 4) == SILENT
    assert "by Mon 14 Dec 2026 12:00 UTC" in told(house, ALICE)
    assert outages(house) == [(1, 2), (2, 4)]


def test_an_outage_while_the_operator_has_stopped_all_clocks_is_no_news(
    house: HouseUnderTest,
) -> None:
    beat(house, 1)
    with house.house.open_unit() as work:
        stop_clocks(work, START + DAY)
        work.commit()
    on_day(house, 1)
    beat(house, 4, good_for=FOR_LONG)
    with house.house.open_unit() as work:
        restart_clocks(work, house.clock())
        work.commit()
    again = [f"{ALICE}: All clocks run again", f"{BOB}: All clocks run again"]
    assert on_day(house, 4) == again
    assert "by Mon 14 Dec 2026 12:00 UTC" in told(house, ALICE)


def test_interrupted_news_go_on_where_they_stopped(house: HouseUnderTest) -> None:
    """Of 151 players a hundred are told before the database fails, and the others afterwards."""
    names = [f"player{number}" for number in range(149)]
    with house.house.open_unit() as work:
        admin = Administration(house.house.services, work, house.clock())
        for name in names:
            work.players.add(name, "", [f"{name}@example.org"], house.clock())
            gonnect = house.house.catalogue.get("gonnect")
            admin.create_match(gonnect, ["alice", name], {"size": "5"}, {})
        work.commit()
    house.deliver()
    beat(house, 1)
    beat(house, 2, good_for=FOR_LONG)
    opened = 0

    def open_unit() -> UnitOfWork:
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
    house: HouseUnderTest, tmp_path: Path
) -> None:
    mails = tmp_path / "mail"
    mails.touch()  # where the Maildir should be
    relay = open_relay(f"maildir:{mails}", "games.example.org")
    beat(house, 7, [RELAY])
    beat(house, 7, OURS, FOR_LONG)
    house.house.do_what_is_due()
    assert house.house.deliver_waiting(relay) == 1
    for day in (8, 11):
        beat(house, day, [*OURS, RELAY], FOR_LONG)
        assert house.house.deliver_waiting(relay) == 1
        assert house.house.silent_since() == START + 7 * DAY
    assert outages(house) == []
    mails.unlink()
    house.clock.now = START + 11.2 * DAY
    assert house.house.deliver_waiting(relay) == 1
    beat(house, 11.2, good_for=FOR_LONG)
    assert outages(house) == [(7, 11.2)]
    assert on_day(house, 11.2) == SILENT
    # 21 days from 20 Nov 12:00, and the 4.2 days for which the relay failed.
    assert "by Tue 15 Dec 2026 16:48 UTC" in told(house, ALICE)


def test_a_relay_that_failed_and_has_nothing_left_to_take_holds_nothing_up(
    house: HouseUnderTest, tmp_path: Path
) -> None:
    (tmp_path / "mail").touch()
    relay = open_relay(f"maildir:{tmp_path / 'mail'}", "games.example.org")
    beat(house, 7)
    house.house.do_what_is_due()
    house.house.deliver_waiting(relay)
    with house.house.open_unit() as work:
        (row,) = work.outbox.listing()
        work.outbox.drop(row.id)
        work.commit()
    beat(house, 9, good_for=FOR_LONG)
    assert house.house.silent_since() is None
    assert outages(house) == [(7, 9)]


def test_a_clock_that_jumps_a_month_ahead_and_back_harms_nobody(house: HouseUnderTest) -> None:
    on_day(house, 7)
    beat(house, 10)
    assert on_day(house, 40) == []
    beat(house, 40)
    assert on_day(house, 40) == SILENT
    assert "by Sun 10 Jan 2027 12:00 UTC" in told(house, ALICE)
    beat(house, 10 + 1 / 24, good_for=FOR_LONG)
    assert outages(house) == [(10, 10.042)]
    right = [f"{ALICE}: The right deadlines", f"{BOB}: The right deadlines"]
    assert on_day(house, 10.1) == right
    assert "by Fri 11 Dec 2026 13:00 UTC" in told(house, ALICE)
    assert on_day(house, 18) == []
    assert len(on_day(house, 19 + 1 / 24)) == 1
    assert on_day(house, 21) == []
    assert of_boards(on_day(house, 21 + 1 / 24)) == 2


def test_a_jump_that_nobody_was_told_of_corrects_nothing(house: HouseUnderTest) -> None:
    minute = 1 / 24 / 60
    beat(house, 1)
    beat(house, 1 + 30 * minute)
    beat(house, 1 + 2 * minute, good_for=FOR_LONG)
    assert outages(house) == [(1, 1.001)]
    assert on_day(house, 1.1) == []


def test_an_outage_that_lies_wholly_in_a_time_that_has_not_come_is_forgotten(
    house: HouseUnderTest,
) -> None:
    beat(house, 1, good_for=FOR_LONG)
    beat(house, 40)
    beat(house, 42)
    beat(house, 2, good_for=FOR_LONG)
    assert outages(house) == []
    assert len(on_day(house, 7)) == 3  # the right deadlines, and a nag
    assert len(on_day(house, 19)) == 1


def test_mails_composed_in_a_time_that_has_not_come_go_out_at_once(house: HouseUnderTest) -> None:
    beat(house, 1)
    beat(house, 40)
    house.house.do_what_is_due()
    beat(house, 2, good_for=FOR_LONG)
    assert [f"{mail['To']}: {mail['Subject']}" for mail in house.deliver()] == SILENT


def test_a_part_that_died_while_the_time_was_ahead_is_missed_all_the_same(
    house: HouseUnderTest,
) -> None:
    beat(house, 40)
    beat(house, 2, ["intake"], FOR_LONG)
    house.clock.now = START + 2.1 * DAY
    assert house.house.silent_since() == START + 2 * DAY


def test_a_relay_that_failed_while_the_time_was_ahead_still_fails_when_it_is_put_back(
    house: HouseUnderTest, tmp_path: Path
) -> None:
    (tmp_path / "mail").touch()
    relay = open_relay(f"maildir:{tmp_path / 'mail'}", "games.example.org")
    beat(house, 40)
    house.house.do_what_is_due()
    assert house.house.deliver_waiting(relay) == 1
    beat(house, 2, good_for=FOR_LONG)
    house.clock.now = START + 2.1 * DAY
    assert house.house.silent_since() == START + 2 * DAY


def test_hosts_whose_clocks_differ_by_seconds_take_nothing_back(house: HouseUnderTest) -> None:
    second = 1 / 24 / 3600
    beat(house, 1)
    beat(house, 2)
    beat(house, 2 - 50 * second)
    assert outages(house) == [(1, 2)]
    assert on_day(house, 2) == SILENT
