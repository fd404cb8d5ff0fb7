"""Guessing passwords: bounded for the guesser, and never in the way of anybody else."""

from datetime import timedelta
from email.message import EmailMessage
from itertools import count, islice

import pytest

from pbm.dispatch.reception import UNPROVEN_AN_HOUR
from pbm.service.budget import UNPROVEN
from pbm.service.context import hour_of
from pbm.service.passwords import NETWORK_AN_HOUR, STRANGE_AN_HOUR, pause_after
from tests.house import HouseUnderTest, text_of
from tests.tables import each

ALICE, BOB, EVE = "alice@example.org", "bob@example.org", "eve@example.org"
PASS = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
FROM_A_NETWORK = "Received: from x (x [192.0.2.{}]) by mx.example.org\n"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), authserv_id="mx.example.org")
    house.add("alice", "bob", "eve")
    return house


def texts(mails: list[EmailMessage], address: str) -> str:
    return "\n".join(text_of(mail) for mail in mails if mail["To"] == address)


def guess(
    house: HouseUnderTest, userid: str, times: int, author: str = EVE, headers: str = ""
) -> None:
    guesses = [(f"set {userid} guess-{n}", "") for n in range(times)]
    house.flood(author, *guesses, headers=headers)


@each(
    ("wrong", "minutes"),
    [(0, 0), (4, 0), (5, 1), (6, 2), (7, 4), (10, 32), (15, 1024), (16, 1440), (10**9, 1440)],
)
def test_pauses_grow_to_a_day(wrong: int, minutes: int) -> None:
    assert pause_after(wrong) == timedelta(minutes=minutes)


def test_in_a_week_a_guesser_gets_few_guesses(house: HouseUnderTest) -> None:
    tried = 0
    for _ in range(7 * 24 * 2):
        refused = texts(house.mail(EVE, f"set alice guess-{tried}"), EVE)
        tried += "does not match" in refused
        house.clock.now += timedelta(minutes=30)
    assert tried < 25


def test_guesses_from_an_address_of_nobody_count_like_those_of_a_player(
    house: HouseUnderTest,
) -> None:
    stranger = "mallory@elsewhere.example"
    guess(house, "alice", 4, author=stranger)
    assert [mail["To"] for mail in house.mail(stranger, "set alice guess")] == [ALICE]
    assert "several wrong" in text_of(house.last_to(ALICE))
    assert house.mail(stranger, "set alice alice-pw") == []
    house.clock.now += timedelta(minutes=1)
    assert "zone" in texts(house.mail(stranger, "set alice alice-pw"), ALICE)


def test_guesses_count_though_their_sender_writes_too_much_to_be_read(
    house: HouseUnderTest,
) -> None:
    with house.house.open_unit() as work:
        work.add_to_tally(f"read:{EVE}", hour_of(house.clock()), UNPROVEN_AN_HOUR)
        work.commit()
    guess(house, "alice", 5)
    assert "several wrong" in text_of(house.last_to(ALICE))
    assert "zone" not in texts(house.mail(EVE, "set alice alice-pw"), ALICE)


def test_the_owner_is_told_once_a_day(house: HouseUnderTest) -> None:
    told = []
    for _ in range(48):
        told.append("several wrong" in texts(house.mail(EVE, "set alice guess"), ALICE))
        house.clock.now += timedelta(minutes=60)
    # From noon on: one for the rest of the first day, for the second day, and for the third.
    assert [sum(told[:12]), sum(told[12:36]), sum(told[36:])] == [1, 1, 1]


def test_the_right_password_works_after_the_pause_and_forgives(house: HouseUnderTest) -> None:
    guess(house, "alice", 5)
    assert "Wait 1 minute" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    house.clock.now += timedelta(minutes=1)
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    guess(house, "alice", 4)
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)


def test_a_new_password_by_forgot_ends_the_pause(house: HouseUnderTest) -> None:
    guess(house, "alice", 5)
    house.mail(ALICE, "forgot alice")
    house.reply(house.last_to(ALICE), "password three-new-words")
    assert "zone" in texts(house.mail(ALICE, "set alice three-new-words"), ALICE)


def test_a_reply_token_works_all_the_while(house: HouseUnderTest) -> None:
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    invited = house.last_to(ALICE)
    for author in (EVE, ALICE):
        guess(house, "alice", 12, author)
    assert texts(house.reply(invited, "accept"), BOB)


def test_a_password_in_a_reply_is_tried_all_the_while_and_guesses_there_are_counted_apart(
    house: HouseUnderTest,
) -> None:
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    invited = house.last_to(ALICE)
    guess(house, "alice", 12, ALICE)
    assert "Wait 1 minute" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    asked = house.reply(invited, "signoff alice alice-pw")
    assert [mail["Subject"] for mail in asked] == ["Close your account?"]
    for n in range(5):
        house.reply(invited, f"signoff alice guess-{n}")
    assert "Wait 1 minute" in texts(house.reply(invited, "signoff alice alice-pw"), ALICE)
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)


def test_guesses_in_the_name_of_a_player_leave_others_passwords_alone(
    house: HouseUnderTest,
) -> None:
    guess(house, "alice", 12, BOB)
    assert "zone" in texts(house.mail(BOB, "set bob bob-pw"), BOB)


def test_too_many_wrong_ones_in_all_stop_strangers_and_nobody_else(house: HouseUnderTest) -> None:
    five = ("\n".join(f"set nobody{n} guess-{n}{k}" for k in range(5)) for n in count())
    house.flood(EVE, *(("", guesses) for guesses in islice(five, STRANGE_AN_HOUR // 5)))
    assert "too many wrong passwords" in texts(house.mail(BOB, "set alice alice-pw"), BOB)
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    house.clock.now += timedelta(hours=1)
    assert "zone" in texts(house.mail(EVE, "set alice alice-pw"), ALICE)


def test_too_many_wrong_ones_from_a_network_stop_strangers_there(house: HouseUnderTest) -> None:
    for n in range(NETWORK_AN_HOUR):
        guess(house, f"nobody{n}", 1, headers=FROM_A_NETWORK.format(n))
    there, elsewhere = FROM_A_NETWORK.format(200), FROM_A_NETWORK.replace("192", "198").format(1)
    line = "set alice alice-pw"
    assert "too many wrong passwords" in texts(house.mail(EVE, line, headers=there), EVE)
    assert "zone" in texts(house.mail(EVE, line, headers=elsewhere), ALICE)
    assert "zone" in texts(house.mail(ALICE, line, headers=there), ALICE)


def test_forged_mails_do_not_hide_a_players_own_without_a_word(house: HouseUnderTest) -> None:
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    invited = house.last_to(ALICE)
    with house.house.open_unit() as work:
        hour = house.clock().replace(minute=0)
        for _ in range(UNPROVEN_AN_HOUR):
            work.tally(f"read:{ALICE}", hour)
        work.commit()
    assert "Too many mails" in str(house.mail(ALICE, "help")[0]["Subject"])
    assert house.mail(ALICE, "help") == []
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    assert texts(house.reply(invited, "accept"), BOB)


def test_answers_to_forged_mails_do_not_use_up_those_to_a_players_own(
    house: HouseUnderTest,
) -> None:
    house.mail(BOB, "gonnect challenge bob bob-pw alice")
    invited = house.last_to(ALICE)
    house.flood(ALICE, *[("help", "")] * UNPROVEN.hour.answers)
    (silence,) = house.mail(ALICE, "help")
    assert "more than I can answer" in text_of(silence)
    assert house.mail(ALICE, "help") == []
    assert house.reply(invited, "help")
    assert house.mail(ALICE, "games", "", headers=PASS)


@pytest.mark.parametrize("password", ["short", "alice", "trustno1", "TrustNo1", "12345678"])
def test_a_password_that_is_easily_guessed_is_not_taken(
    house: HouseUnderTest, password: str
) -> None:
    refused = texts(house.mail(ALICE, f"change password alice alice-pw {password}"), ALICE)
    assert "8 to 100 characters" in refused or "will do" in refused
    assert password not in refused.replace("alice,", "").replace("alice your-password", "")
    assert "zone" in texts(house.mail(ALICE, "set alice alice-pw"), ALICE)
    house.mail("new@example.org", f"signup newcomer {password}")
    with house.house.open_reading() as work:
        assert work.signups.latest("new@example.org") is None


def test_a_userid_of_eight_letters_is_no_password(house: HouseUnderTest) -> None:
    house.add("benjamin")
    refused = house.mail("benjamin@example.org", "change password benjamin benjamin-pw Benjamin")
    assert "Your userid is no password" in texts(refused, "benjamin@example.org")
