"""Mails that the relay itself does not take: with a real relay, which no conversation has."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbm.core.relaying import Deferred, Failed, Sent, Verdict
from pbm.domain.mail import OutgoingMail
from pbm.domain.match import Reminder
from tests.house import ADDRESS, HouseUnderTest, text_of
from tests.relay.relays import relay_to
from tests.service.returned_mails import (
    ALICE,
    BOB,
    CAROL,
    OPERATOR,
    come_back,
    is_off,
    on_day,
    playing_house,
)
from tests.service.waiting import table_of
from tests.sink import Sink

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    return playing_house(tmp_path_factory.mktemp("begun"))


def write(house: HouseUnderTest, author: str, subject: str, text: str) -> None:
    """Let a mail be played, and leave the mails that result in the outbox."""
    house.busy = True
    house.mail(author, subject, text)
    house.house.play_stage.play_waiting()


def deliver(house: HouseUnderTest, port: int) -> None:
    with relay_to(f"smtp://localhost:{port}") as relay:
        while house.house.deliver_waiting(relay):
            pass


def test_an_address_that_our_own_relay_refuses_is_switched_off_as_well(
    house: HouseUnderTest,
) -> None:
    sink = Sink({BOB: "550 5.1.1 no such user"})
    with sink:
        for day in (0, 1):
            on_day(house, day)
            write(house, ALICE, "message alice alice-pw bob", "Are you there?")
            assert not is_off(house)
            deliver(house, sink.port)
        assert is_off(house)
        deliver(house, sink.port)
    assert [mail.recipient for mail in sink.mails[-3:]] == [OPERATOR, ALICE, CAROL]


def test_a_relay_that_refuses_us_as_a_sender_switches_no_address_off(
    house: HouseUnderTest,
) -> None:
    class Refusing(Sink):
        async def handle_MAIL(self, *_: object) -> str:  # noqa: N802 - aiosmtpd calls it so
            return "550 5.7.1 not from you"

    with Refusing() as sink:
        for day in (0, 1, 2, 3):
            on_day(house, day)
            write(house, ALICE, "chat 101 alice alice-pw", "Hello?")
            deliver(house, sink.port)
    assert not is_off(house, "bob")
    assert not is_off(house, "alice")


def test_a_mail_that_is_tried_for_five_days_counts_once_and_one_for_a_relay_that_is_down_never(
    house: HouseUnderTest,
) -> None:
    def days_failed() -> int:
        with house.house.open_reading() as work:
            troubles = work.players.by_address(BOB)[0].troubles
        return troubles[BOB].days if BOB in troubles else 0

    write(house, ALICE, "message alice alice-pw bob", "Are you there?")
    full = Sink({BOB: "452 4.2.2 full"})
    with full:
        deliver(house, full.port)
        on_day(house, 4.9)
        deliver(house, full.port)
        assert days_failed() == 0
        on_day(house, 6)
        # It counts because the relay takes other mails; without them it would be the relay.
        write(house, ALICE, "message alice alice-pw carol", "Are you there?")
        deliver(house, full.port)
        assert days_failed() == 1
    write(house, ALICE, "message alice alice-pw bob", "Are you still there?")
    deliver(house, full.port)
    on_day(house, 12)
    deliver(house, full.port)
    assert days_failed() == 1


RELAYS: Mapping[str, Callable[[OutgoingMail], Verdict]] = {
    "it defers all": lambda _: Deferred("451 4.3.0 try again"),
    "it refuses all": lambda _: Failed("550 5.7.1 relaying denied"),
    "it knows nobody": lambda _: Failed("550 5.1.1 no such user"),
    "it refuses us": lambda _: Failed("550 5.7.1 not from you", about_us=True),
    "it cannot be reached": lambda _: Deferred("refused", relay_down=True, offered=False),
    "it takes what is not for bob": lambda mail: (
        Deferred("452 4.2.2 quota") if mail.recipient == BOB else Sent()
    ),
}


@pytest.mark.parametrize("relay", RELAYS)
def test_nobody_forfeits_to_whom_no_mail_was_taken(
    house: HouseUnderTest, relay: str, caplog: pytest.LogCaptureFixture
) -> None:
    def to_bob(days: float) -> list[EmailMessage]:
        """Let days pass, a quarter at a time; return the mails that bob gets."""
        sent: list[EmailMessage] = []
        for _ in range(int(days * 4)):
            house.clock.now += timedelta(hours=6)
            house.beat(days=1)
            sent += house.remind()
        return [mail for mail in sent if mail["To"] == BOB]

    house.says = lambda _: Sent()
    assert to_bob(6) == []  # he is nagged after seven days of his turns
    house.says = RELAYS[relay]
    assert to_bob(25) == []
    assert any(record.levelname == "WARNING" for record in caplog.records)
    house.says = lambda _: Sent()
    assert to_bob(2)
    board = table_of(house.house, 101)
    warned = board.match.reminded[board.match.players[0]].last
    assert (board.match.over, is_off(house), warned) == (False, False, Reminder.NAG)
    # He has more than eleven days left of 21, and the last reminder comes two days before the end.
    assert [text_of(mail) for mail in to_bob(9)] == []
    assert len(to_bob(3)) == 1


def test_mail_on_its_way_stops_no_clock_just_after_an_outage(house: HouseUnderTest) -> None:
    def stopped() -> bool:
        house.remind()
        with house.house.open_reading() as work:
            (bob,) = work.players.by_address(BOB)
            return bool(work.pauses.of(bob.id))

    house.says = RELAYS["it takes what is not for bob"]
    house.beat()
    write(house, ALICE, "message alice alice-pw bob", "Are you there?")
    house.clock.now += timedelta(hours=5)
    house.beat(days=1)  # nobody gave a sign for five hours
    house.clock.now += timedelta(minutes=5)
    assert not stopped()
    house.clock.now += timedelta(minutes=6)
    assert stopped()


def live(
    house: HouseUnderTest, days: float, come: timedelta | None, *to: str
) -> list[EmailMessage]:
    """Let days pass, a quarter at a time, and return the mails sent.

    The relay takes all. Mails to the addresses `to` come back as blocked after the time `come`.
    """
    sent: list[EmailMessage] = []
    out = [(house.clock.now, mail) for mail in house.sent if mail["To"] in to]
    for _ in range(int(days * 4)):
        house.clock.now += timedelta(hours=6)
        house.beat(days=1)
        new = house.remind()
        sent += new
        out += [(house.clock.now, mail) for mail in new if mail["To"] in to]
        back = [each for each in out if come is not None and each[0] + come <= house.clock.now]
        out = [each for each in out if each not in back]
        for _, mail in back:
            sent += come_back(house, mail, "5.7.1")
    return sent


AT_ONCE, LATE = timedelta(0), timedelta(days=5)


def is_over(house: HouseUnderTest) -> bool:
    return table_of(house.house, 101).match.over


@pytest.mark.parametrize(("come", "to"), [(AT_ONCE, (ALICE, BOB, CAROL)), (LATE, (BOB,))])
def test_nobody_forfeits_whose_mails_came_back(
    house: HouseUnderTest, come: timedelta, to: tuple[str, ...]
) -> None:
    live(house, 25, come, *to)
    assert not is_over(house)
    # From now on mails arrive, and bob has his time again.
    told = [mail for mail in live(house, 10, None) if mail["To"] == BOB]
    assert told
    assert not is_over(house)


def test_mails_that_come_back_stop_clocks_for_thirty_days_in_a_year(house: HouseUnderTest) -> None:
    live(house, 50.75, AT_ONCE, BOB)
    assert not is_over(house)
    live(house, 0.5, AT_ONCE, BOB)
    assert is_over(house)


def test_a_mail_that_is_never_heard_of_has_arrived(house: HouseUnderTest) -> None:
    live(house, 20.75, None)
    assert not is_over(house)
    live(house, 0.25, None)
    assert is_over(house)


def postqueue(folder: Path, monkeypatch: pytest.MonkeyPatch, *mails: tuple[str, datetime]) -> None:
    """Put a `postqueue` first into PATH that shows mails to these addresses, since these times."""
    rows = [
        {"queue_name": "deferred", "queue_id": "4FzQ8k1pBz9s", "arrival_time": int(at.timestamp()),
         "sender": f"bounce+k3v9@{ADDRESS.partition('@')[2]}",
         "recipients": [{"address": to, "delay_reason": "connect to mx: timed out"}]}
        for to, at in mails
    ]  # fmt: skip
    (folder / "queue.json").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    command = folder / "postqueue"
    command.write_text(f"#!/bin/sh\ncat {folder}/queue.json\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_a_mail_in_the_queue_of_this_hosts_postfix_is_not_taken(
    house: HouseUnderTest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    local = replace(house.house.settings, relay="smtp://localhost:25")
    house.house = replace(house.house, settings=local)
    postqueue(tmp_path, monkeypatch, (BOB, house.clock.now))
    live(house, 25, None)
    assert not is_over(house)
    assert "1 mail in the queue of this host's Postfix, the oldest since 2026-11-20" in caplog.text
    postqueue(tmp_path, monkeypatch)
    told = [mail for mail in live(house, 3, None) if mail["To"] == BOB]
    assert [str(mail["Subject"]) for mail in told] == ["Mail to you was held up"]


def test_the_log_says_within_the_hour_which_provider_returns_mails(
    house: HouseUnderTest, caplog: pytest.LogCaptureFixture
) -> None:
    live(house, 1, AT_ONCE, ALICE, BOB, CAROL)
    told = [each.getMessage() for each in caplog.records if "came back" in each.getMessage()]
    assert told[0].startswith("mails that came back within a day: example.org: ")
    assert told[0].endswith(": blocked (5.7.1)")
    assert {record.levelname for record in caplog.records} == {"WARNING"}
