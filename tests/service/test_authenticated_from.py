"""A registered From that the front MTA vouches for: what it proves, and what it does not."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.house import HouseUnderTest, text_of

ALICE, BOB = "alice@example.org", "bob@example.org"
PASS = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
FAIL = "Authentication-Results: mx.example.org; dmarc=fail header.from=example.org\n"
NONE = "Authentication-Results: mx.example.org; dmarc=none header.from=example.org\n"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    house = HouseUnderTest(tmp_path_factory.mktemp("begun"), authserv_id="mx.example.org")
    house.add("alice", "bob")
    return house


def told(mails: list[EmailMessage]) -> dict[str, str]:
    return {str(mail["To"]): text_of(mail) for mail in mails}


def test_commands_need_no_password(house: HouseUnderTest) -> None:
    assert set(told(house.mail(ALICE, "gonnect challenge bob", headers=PASS))) == {ALICE, BOB}
    house.mail(BOB, "accept 101", headers=PASS)
    assert "d4" in told(house.mail(ALICE, "", "move 101 d4", headers=PASS))[BOB].lower()


def test_a_password_given_all_the_same_does_no_harm(house: HouseUnderTest) -> None:
    house.mail(ALICE, "gonnect challenge alice alice-pw bob", headers=PASS)
    assert set(told(house.mail(BOB, "accept 101 bob wrong-pw", headers=PASS))) == {ALICE, BOB}


@pytest.mark.parametrize(
    "line",
    [
        "change password alice wrong-pw another-pw",
        "change address alice wrong-pw eve@example.net",
        "add alice wrong-pw eve@example.net",
        "signoff alice wrong-pw",
    ],
)
def test_what_touches_the_account_needs_the_password(house: HouseUnderTest, line: str) -> None:
    [(reader, text)] = told(house.mail(ALICE, line, headers=PASS)).items()
    assert reader == ALICE
    assert "The password does not match" in text


def test_prose_is_no_answer_to_a_mail_of_ours(house: HouseUnderTest) -> None:
    assert (
        "This is a play-by-email game server" in told(house.mail(ALICE, "Hi", headers=PASS))[ALICE]
    )


@pytest.mark.parametrize("headers", ["", NONE, FAIL + PASS, NONE + PASS])
def test_without_a_pass_nothing_is_proven(house: HouseUnderTest, headers: str) -> None:
    house.mail(ALICE, "gonnect challenge alice alice-pw bob")
    assert ALICE not in told(house.mail(BOB, "accept 101", headers=headers))


def test_a_mail_that_failed_does_nothing_even_with_a_token(house: HouseUnderTest) -> None:
    house.mail(ALICE, "gonnect challenge alice alice-pw bob")
    invited = house.last_to(BOB)
    assert house.mail(BOB, "accept", to=str(invited["Reply-To"]), headers=FAIL) == []
    assert set(told(house.reply(invited, "accept"))) == {ALICE, BOB}


def test_an_address_of_two_players_proves_neither(house: HouseUnderTest) -> None:
    house.mail(BOB, f"add bob bob-pw {ALICE}")
    house.reply(house.last_to(ALICE), "yes")
    answers = told(house.mail(ALICE, "gonnect challenge bob", headers=PASS))
    assert "an invitation" not in str(answers)


def test_without_the_setting_the_field_counts_for_nothing(tmp_path: Path) -> None:
    house = HouseUnderTest(tmp_path)
    house.add("alice", "bob")
    assert BOB not in told(house.mail(ALICE, "gonnect challenge bob", headers=PASS))
    assert set(told(house.mail(ALICE, "gonnect challenge alice alice-pw bob", headers=FAIL)))
