"""A refusal repeats what its sender wrote, put right and complete, and never a password."""

from datetime import timedelta
from pathlib import Path

import pytest

from tests.house import HouseUnderTest, text_of
from tests.tables import each

ALICE, BOB = "alice@example.org", "bob@example.org"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> HouseUnderTest:
    """Return a house where alice is to move on boards 101 and 102, against bob and Ben."""
    house = HouseUnderTest(Path(tmp_path_factory.mktemp("corrections")))
    house.add("alice", "bob", "Ben")
    for other in ("bob", "Ben"):
        house.mail(ALICE, f"gonnect challenge alice alice-pw {other} -size=5")
        house.reply(house.last_to(f"{other.lower()}@example.org"), "accept")
    return house


def example(house: HouseUnderTest, subject: str) -> str:
    house.clock.now += timedelta(hours=1)
    (mail,) = house.mail(ALICE, subject)
    lines = [line.strip() for line in text_of(mail).splitlines()]
    works = [line for line in lines if line.startswith("A line that works:")]
    return works[0].partition(":")[2].strip() if works else ""


@each(
    ("typed", "works"),
    [
        ("morris challenge ben", "morris challenge alice your-password Ben"),
        ("morris challenge alice ben", "morris challenge alice your-password Ben"),
        ("morris challenge alice alice-pw benn", "morris challenge alice your-password Ben"),
        ("Moris challenge alice alice-pw ben", "morris challenge alice your-password Ben"),
        ("morris chalenge alice alice-pw ben", "morris challenge alice your-password Ben"),
        ("morris challenge alice alice-pw", "morris challenge alice your-password opponent"),
        ("challenge alice alice-pw ben", "GAME challenge alice your-password Ben"),
        ("gonnect challenge alice alice-pw ben size=9",
         "gonnect challenge alice your-password Ben -size=9"),
        ("gonnect challenge alice alice-pw ben --size=9 -nagtime=3",
         "gonnect challenge alice your-password Ben --nagtime=3 -size=9"),
        ("gonnect challenge alice alice-pw ben -sise=9",
         "gonnect challenge alice your-password Ben -size=9"),
        ("gonnect challenge alice wrong-pw ben", "gonnect challenge alice your-password Ben"),
        ("move 101 C3", "move 101 alice your-password C3"),
        ("move 101 alice wrong-pw C3", "move 101 alice your-password C3"),
        ("resign 102", "resign 102 alice your-password"),
        ("draw", "draw board-number alice your-password"),
        ("message bob", "message alice your-password bob"),
        ("message alice alice-pw bobb", "message alice your-password bob"),
        ("show", "show board-number"),
        ("resin 101", ""),
        ("gonnect ben", "gonnect challenge alice your-password Ben"),
        ("gonnect with ben please", "gonnect challenge alice your-password Ben"),
        ("gonnect alice alice-pw ben", "gonnect challenge alice your-password Ben"),
        ("gonnect challenge alice alice-pw friend@example.net",
         "gonnect challenge alice your-password opponent"),
        ("change address new@example.net", "change address alice your-password new@example.net"),
        ("change my adress to new@example.net",
         "change address alice your-password new@example.net"),
        ("change address alice wrong-pw new@example.net",
         "change address alice your-password new@example.net"),
        ("change address alice alice-pw", "change address alice your-password your-new-address"),
        # It may be a password all the same.
        ("change address alice alice@pw.example",
         "change address alice your-password your-new-address"),
        ("change password to new-pw-of-alice",
         "change password alice your-password new-password"),
        ("add new@example.net", "add alice your-password new@example.net"),
    ],
)  # fmt: skip
def test_a_refused_line_is_put_right(house: HouseUnderTest, typed: str, works: str) -> None:
    assert example(house, typed) == works


@pytest.mark.parametrize("typed", ["move 101 alice alice-pw Z9", "move 101 alice alice-pw zzz"])
def test_a_refused_move_gets_no_other_move_as_a_hint(house: HouseUnderTest, typed: str) -> None:
    assert example(house, typed) == ""


def test_who_invites_somebody_by_mail_address_is_told_how_that_person_gets_a_userid(
    house: HouseUnderTest,
) -> None:
    (mail,) = house.mail(ALICE, "gonnect challenge alice alice-pw friend@example.net")
    told = " ".join(text_of(mail).split())
    assert told.startswith("Players are called by their userids here, not by their mail addresses.")
    assert "with the subject signup" in told


def test_a_game_with_something_else_behind_it_is_told_what_can_stand_there(
    house: HouseUnderTest,
) -> None:
    (mail,) = house.mail(ALICE, "gonnect xyzzy")
    told = " ".join(text_of(mail).split())
    assert told.startswith('There is no such command after "Gonnect". To invite somebody, write')


def test_an_option_without_its_dash_is_named(house: HouseUnderTest) -> None:
    (mail,) = house.mail(ALICE, "gonnect challenge alice alice-pw bob size=9")
    assert text_of(mail).startswith("Did you mean -size=9?")


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("gonnect challenge alice alice-pw zaphod", True),
        ("block alice alice-pw zaphod", True),
        ("games zaphod", False),
        ("message bob zaphod", False),
        ("gonnect challenge zaphod alice-pw bob", False),
    ],
)
def test_an_unknown_player_is_named_where_no_password_is_expected(
    house: HouseUnderTest, typed: str, *, named: bool
) -> None:
    (mail,) = house.mail(ALICE, typed)
    assert ("zaphod" in text_of(mail)) is named


@each(
    "line",
    [
        "message {} bob", "message bob {}", "message alice {}", "message alice alice-pw {}x {}",
        "gonnect challenge {} bob", "gonnect challenge bob {}", "gonnect challenge alice {}",
        "gonnect challenge bob alice {}", "gonnect challenge alice {} bob {}", "move 101 {}",
        "move 101 alice {}", "move 101 bob {}", "move {} 101 C3", "resign alice {}", "block {}",
        "block alice {}", "forgot alice {}", "gonnect seek {}", "set {}", "{} alice",
        "signof alice {}", "gonnect challenge alice {} bob size={}", "games alice {}",
        "gonnect challenge alice {} bob -{}=9", "change address {}",
        "change address {} new@b.example", "change address alice {}", "change my password to {}",
        "add {}", "gonnect {}", "gonnect alice {} bob",
    ],
)  # fmt: skip
def test_no_password_is_repeated_wherever_it_stands(house: HouseUnderTest, line: str) -> None:
    secret = "alice-pw"
    replied = next(mail for mail in house.sent if mail["To"] == ALICE and mail["Reply-To"])
    for mail in (
        *house.mail(ALICE, line.replace("{}", secret)),
        *house.reply(replied, line.replace("{}", secret)),
    ):
        assert secret not in text_of(mail)
