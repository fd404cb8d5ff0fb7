"""Mails that the relay itself does not take: with a real relay, which no conversation has."""

import pytest

from tests.house import HouseUnderTest
from tests.relay.relays import relay_to
from tests.service.returned_mails import (
    ALICE,
    BOB,
    CAROL,
    OPERATOR,
    is_off,
    on_day,
    playing_house,
)
from tests.sink import Sink


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
        deliver(house, full.port)
        assert days_failed() == 1
    write(house, ALICE, "message alice alice-pw bob", "Are you still there?")
    deliver(house, full.port)
    on_day(house, 12)
    deliver(house, full.port)
    assert days_failed() == 1
