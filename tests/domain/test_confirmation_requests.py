"""The time for a reply, and the addresses that remain once a new one is confirmed."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbm.domain.confirmations import (
    LASTS,
    ConfirmationKind,
    ConfirmationRequest,
    addresses_after,
    is_waiting,
)
from pbm.features.accounts import RESETS_BY_OTHERS, RESETS_FROM_HOME, RESETS_PROVEN, Pace
from tests.readings import answers

NOW = datetime(2026, 2, 1, 9, 30, tzinfo=UTC)


ADDRESSES = Path(__file__).with_name("addresses.txt").read_text()


def a_request(words: str, number: int = 3, minutes: int = 0) -> ConfirmationRequest:
    """Read a request such as "4 add b@x done later"."""
    found = re.fullmatch(r"(?:(\d+) )?(\w+) (\S+)( done)?( later)?", words)
    assert found
    kind = next(kind for kind in ConfirmationKind if kind.startswith(found[2]))
    at = NOW + timedelta(minutes=5 if found[5] else minutes)
    done = at + timedelta(hours=1) if found[4] else None
    return ConfirmationRequest(int(found[1] or number), kind, 1, found[3], at, done)


def test_the_addresses_of_a_player_are_those_that_were_confirmed() -> None:
    def after(before: str, confirmed: str, others: str) -> str:
        request = a_request(confirmed)
        known = [request, *map(a_request, filter(None, [others]))]
        known.sort(key=lambda each: -each.id)
        return " ".join(addresses_after(tuple(before.split()), request, tuple(known)))

    assert answers(ADDRESSES, after) == ADDRESSES


@pytest.mark.parametrize("kind", ConfirmationKind)
def test_a_reply_counts_once_and_for_a_time(kind: ConfirmationKind) -> None:
    request = a_request(f"{kind} a@x")
    assert is_waiting(request, NOW + LASTS[kind])
    assert not is_waiting(request, NOW + LASTS[kind] + timedelta(seconds=1))
    assert not is_waiting(a_request(f"{kind} a@x done"), NOW)
    assert LASTS[ConfirmationKind.RESET_PASSWORD] == timedelta(hours=24)


def mails_of_a_month(pace: Pace) -> list[int]:
    """Return the hours of a month in which somebody who asks each hour is heard."""
    heard: list[ConfirmationRequest] = []
    for hour in range(24 * 30):
        request = a_request("reset a@x", hour, 60 * hour)
        if pace.allows(heard, request.made_at):
            heard.append(request)
    return [request.id for request in heard]


def test_who_forges_the_address_of_an_account_each_hour_causes_five_mails_and_then_one_a_day() -> (
    None
):
    hours = mails_of_a_month(RESETS_FROM_HOME)
    assert hours[:7] == [0, 1, 3, 7, 15, 15 + 16, 15 + 16 + 24]
    assert len(hours) == 5 + 1 + 28


def test_other_addresses_that_ask_each_hour_cause_a_mail_a_day_and_then_one_a_week() -> None:
    days = [hour / 24 for hour in mails_of_a_month(RESETS_BY_OTHERS)]
    assert days == [0, 1, 3, 7, 14, 21, 28]


def test_a_reply_may_ask_each_hour() -> None:
    assert len(mails_of_a_month(RESETS_PROVEN)) == 24 * 30


def test_there_is_always_a_mail_to_answer_before_the_owner_may_ask_again() -> None:
    """Nobody else can keep a player from a new password by asking for it."""
    assert RESETS_FROM_HOME.longest <= LASTS[ConfirmationKind.RESET_PASSWORD]
