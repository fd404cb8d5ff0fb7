"""How long a reply counts, and which addresses remain once a new one is confirmed."""

from datetime import UTC, datetime, timedelta

from pbm.domain.confirmations import (
    LASTS,
    ConfirmationKind,
    ConfirmationRequest,
    addresses_after,
    is_waiting,
)
from pbm.features.accounts import RESETS_BY_OTHERS, RESETS_FROM_HOME, RESETS_PROVEN, Pace
from tests.tables import each

NOW = datetime(2026, 2, 1, 9, 30, tzinfo=UTC)
ADD, CHANGE = ConfirmationKind.ADD_ADDRESS, ConfirmationKind.CHANGE_ADDRESS


def a_request(
    number: int, kind: ConfirmationKind, address: str, minutes: int = 0, *, done: bool = False
) -> ConfirmationRequest:
    at = NOW + timedelta(minutes=minutes)
    return ConfirmationRequest(
        number, kind, 1, address, at, at + timedelta(hours=1) if done else None
    )


@each("kind", ConfirmationKind)
def test_a_reply_counts_once_and_for_a_time(kind: ConfirmationKind) -> None:
    request = a_request(1, kind, "a@x")
    assert is_waiting(request, NOW + LASTS[kind])
    assert not is_waiting(request, NOW + LASTS[kind] + timedelta(seconds=1))
    assert not is_waiting(a_request(1, kind, "a@x", done=True), NOW)


def test_a_reset_is_good_for_a_day() -> None:
    assert LASTS[ConfirmationKind.RESET_PASSWORD] == timedelta(hours=24)


def mails_of_a_month(pace: Pace) -> list[int]:
    """Return the hours of a month in which somebody who asks each hour is heard."""
    heard: list[ConfirmationRequest] = []
    for hour in range(24 * 30):
        request = a_request(hour, ConfirmationKind.RESET_PASSWORD, "a@x", 60 * hour)
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


def test_an_address_that_is_added_stands_last_and_once() -> None:
    assert addresses_after(("a@x", "b@x"), a_request(1, ADD, "c@x"), ()) == ("a@x", "b@x", "c@x")
    assert addresses_after(("a@x", "b@x"), a_request(1, ADD, "a@x"), ()) == ("a@x", "b@x")


def test_a_changed_address_replaces_all_others() -> None:
    request = a_request(3, CHANGE, "c@x")
    before = a_request(2, ADD, "b@x", done=True)
    assert addresses_after(("a@x", "b@x"), request, (request, before)) == ("c@x",)


def test_several_changed_addresses_stay_in_the_order_in_which_they_were_named() -> None:
    first, second = a_request(3, CHANGE, "c@x"), a_request(4, CHANGE, "d@x")
    assert addresses_after(("a@x",), second, (second, first)) == ("d@x",)
    done = a_request(4, CHANGE, "d@x", done=True)
    assert addresses_after(("d@x",), first, (done, first)) == ("c@x", "d@x")


def test_an_old_address_that_is_named_with_the_new_one_stays() -> None:
    kept, new = a_request(3, CHANGE, "a@x", done=True), a_request(4, CHANGE, "c@x")
    assert addresses_after(("a@x", "b@x"), new, (new, kept)) == ("a@x", "c@x")


def test_an_address_that_was_added_after_the_change_was_asked_for_stays() -> None:
    change, later = a_request(3, CHANGE, "c@x"), a_request(4, ADD, "b@x", 5, done=True)
    assert addresses_after(("a@x", "b@x"), change, (later, change)) == ("c@x", "b@x")


def test_a_request_that_was_called_off_leaves_no_address() -> None:
    change, off = a_request(3, CHANGE, "c@x"), a_request(4, CHANGE, "evil@x", done=True)
    assert addresses_after(("a@x",), change, (off, change)) == ("c@x",)


def test_a_reset_sent_to_an_old_address_does_not_keep_it() -> None:
    reset = a_request(4, ConfirmationKind.RESET_PASSWORD, "a@x", 5, done=True)
    change = a_request(3, CHANGE, "c@x")
    assert addresses_after(("a@x",), change, (reset, change)) == ("c@x",)
